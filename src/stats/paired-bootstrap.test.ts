import { describe, expect, it } from "vitest";
import { pairedBootstrap } from "./paired-bootstrap.ts";
import { createRandom } from "./random.ts";

describe("paired bootstrap", () => {
  it("is a point when every difference is the same", () => {
    const pairs = ["a", "b", "c"].map((cluster) => ({ left: 1, right: 1.5, cluster }));
    expect(pairedBootstrap(pairs, { random: createRandom(1), resamples: 50 })).toEqual({
      difference: 0.5,
      low: 0.5,
      high: 0.5,
    });
  });

  it("has the width of the normal approximation for independent questions", () => {
    // Half the differences are 1, half 0: mean 0.5, standard error 0.5 / √400 = 0.025.
    const pairs = Array.from({ length: 400 }, (_, i) => ({
      left: 0,
      right: i % 2,
      cluster: String(i),
    }));
    const { difference, low, high } = pairedBootstrap(pairs, { random: createRandom(1) });
    expect(difference).toBe(0.5);
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 1.5);
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 1.5);
  });

  it("is wider when questions come in clusters that agree", () => {
    const width = (clusterOf: (i: number) => string): number => {
      const pairs = Array.from({ length: 400 }, (_, i) => ({
        left: 0,
        right: Math.floor(i / 40) % 2,
        cluster: clusterOf(i),
      }));
      const { low, high } = pairedBootstrap(pairs, { random: createRandom(1) });
      return high - low;
    };
    expect(width((i) => String(Math.floor(i / 40)))).toBeGreaterThan(3 * width(String));
  });

  it("gives NaN without pairs", () => {
    expect(pairedBootstrap([], { random: createRandom(1) }).difference).toBeNaN();
  });
});
