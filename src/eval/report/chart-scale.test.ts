import fc from "fast-check";
import { expect, it } from "vitest";
import { paretoFront } from "./chart-plots.ts";
import { scaleOf } from "./chart-scale.ts";
import { exactly } from "./report.ts";

const place = { from: 0, to: 100, steps: 5, isZoomed: false };

it("ends linear axes at numbers that people like", () => {
  const axis = { title: "", unit: "ms", scale: "linear" } as const;
  expect(scaleOf({ axis, values: [3, 47], ...place }).ticks).toEqual([0, 10, 20, 30, 40, 50]);
  expect(scaleOf({ axis, values: [80, 97], ...place, isZoomed: true }).ticks).toEqual([
    80, 85, 90, 95, 100,
  ]);
});

it("takes 1, 2 and 5 for logarithmic axes", () => {
  const axis = { title: "", unit: "ms", scale: "log" } as const;
  expect(scaleOf({ axis, values: [3, 140], ...place }).ticks).toEqual([2, 5, 10, 20, 50, 100, 200]);
});

it("has room for every value on either axis", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1 }),
      fc.constantFrom("linear" as const, "log" as const),
      fc.boolean(),
      (values, scale, isZoomed) => {
        const laid = scaleOf({ axis: { title: "", unit: "", scale }, values, ...place, isZoomed });
        for (const value of values) {
          expect(laid.place(value)).toBeGreaterThan(-1e-3);
          expect(laid.place(value)).toBeLessThan(100 + 1e-3);
        }
        expect(laid.ticks.length).toBeLessThan(40);
      },
    ),
  );
});

it("finds the points that no other beats in both", () => {
  const point = (name: string, x: number, y: number) => ({ name, x: exactly(x), y: exactly(y) });
  const points = [point("c", 9, 0.5), point("a", 1, 0.2), point("b", 2, 0.1), point("d", 9, 0.4)];
  expect(paretoFront(points).map(({ name }) => name)).toEqual(["a", "c"]);
});
