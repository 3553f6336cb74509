import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passAtK } from "./pass-at-k.ts";

function choose(n: number, k: number): number {
  if (k > n) return 0;
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}

describe("pass at k", () => {
  // By hand: 1 - C(n-c, k) / C(n, k).
  it.each([
    { samples: 1, passed: 1, k: 1, is: 1 },
    { samples: 1, passed: 0, k: 1, is: 0 },
    { samples: 10, passed: 3, k: 1, is: 0.3 },
    { samples: 5, passed: 2, k: 2, is: 0.7 },
    { samples: 10, passed: 3, k: 5, is: 1 - 21 / 252 },
    { samples: 200, passed: 1, k: 100, is: 0.5 },
    { samples: 4, passed: 3, k: 2, is: 1 },
  ])("is $is for $passed of $samples and $k", ({ is, ...counts }) => {
    expect(passAtK(counts)).toBeCloseTo(is, 12);
  });

  it("is the quotient of binomials", () => {
    const counts = fc.integer({ min: 1, max: 40 }).chain((samples) =>
      fc.record({
        samples: fc.constant(samples),
        passed: fc.integer({ min: 0, max: samples }),
        k: fc.integer({ min: 1, max: samples }),
      }),
    );
    fc.assert(
      fc.property(counts, ({ samples, passed, k }) => {
        const exact = 1 - choose(samples - passed, k) / choose(samples, k);
        expect(passAtK({ samples, passed, k })).toBeCloseTo(exact, 9);
      }),
    );
  });

  it("refuses more answers than there are", () => {
    expect(() => passAtK({ samples: 2, passed: 1, k: 3 })).toThrow(RangeError);
  });
});
