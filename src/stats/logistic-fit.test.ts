import { describe, expect, test } from "vitest";
import { fitLogistic } from "./logistic-fit.ts";
import { createRandom } from "./random.ts";

describe("a logistic fit", () => {
  test("finds the weights that made the examples", () => {
    const random = createRandom(3);
    const examples = Array.from({ length: 4_000 }, () => {
      const values = [random.next() * 10 - 5, random.next() + 100, 7];
      const score = 0.5 + 0.8 * (values[0] ?? 0);
      return { values, isRight: random.next() < 1 / (1 + Math.exp(-score)) };
    });
    const { bias, weights } = fitLogistic(examples, { ridge: 1 });
    expect(weights[0]).toBeCloseTo(0.8, 1);
    expect(weights[2]).toBe(0);
    const atZero = bias + 100.5 * (weights[1] ?? 0);
    expect(Math.abs(atZero - 0.5)).toBeLessThan(0.15);
  });

  test("gives the share of right ones where no feature tells anything", () => {
    const examples = [true, false, false, false].map((isRight) => ({ values: [1], isRight }));
    const { bias, weights } = fitLogistic(examples, { ridge: 1 });
    expect([1 / (1 + Math.exp(-bias)), weights]).toEqual([expect.closeTo(0.25), [0]]);
  });
});
