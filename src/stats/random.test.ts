import { describe, expect, it } from "vitest";
import { createRandom } from "./random.ts";

describe("seeded random numbers", () => {
  it("repeats itself for a seed and differs between seeds", () => {
    const draw = (seed: number): number[] => {
      const random = createRandom(seed);
      return Array.from({ length: 5 }, () => random.below(1_000_000));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it("spreads evenly", () => {
    const random = createRandom(1);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const bin = random.below(10);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    // Chi-square with 9 degrees of freedom stays under 27.9 in 999 of 1,000 fair runs.
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
    expect(chiSquare).toBeLessThan(27.9);
  });

  it("shuffles a copy and keeps every item", () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    const shuffled = createRandom(3).shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(items);
    expect(items[0]).toBe(0);
  });

  it("refuses an empty choice", () => {
    expect(() => createRandom(1).pick([])).toThrow(RangeError);
  });
});
