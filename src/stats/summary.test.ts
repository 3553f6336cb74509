import { expect, it } from "vitest";
import { mean, percentile } from "./summary.ts";

it("takes the nearest rank", () => {
  const values = [15, 20, 35, 40, 50];
  expect([0, 0.05, 0.3, 0.4, 0.5, 0.95, 1].map((share) => percentile(values, share))).toEqual([
    15, 15, 20, 20, 35, 50, 50,
  ]);
  expect(percentile([10, 9], 0.5)).toBe(9);
  expect(percentile([], 0.5)).toBeNaN();
});

it("averages", () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBeNaN();
});
