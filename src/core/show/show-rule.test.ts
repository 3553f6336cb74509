import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { breakEvenChance, isWorthShowing, requiredChance } from "./show-rule.ts";

describe("a text is shown", () => {
  test("where showing it pays: short ones must be surer than long ones", () => {
    const rounded = [4, 12, 25, 60].map((length) => Number(breakEvenChance(length).toFixed(2)));
    expect(rounded).toEqual([0.5, 0.23, 0.15, 0.12]);
  });

  test("only above the threshold, which counts where it is the greater", () => {
    expect(requiredChance(60, 0.25)).toBe(0.25);
    expect(requiredChance(1, 0.25)).toBe(0.6);
  });

  test("whatever its chance at a threshold of 0, or without a calibrated chance", () => {
    expect(isWorthShowing({ chance: 0, length: 1, threshold: 0 })).toBe(true);
    expect(isWorthShowing({ chance: null, length: 1, threshold: 1 })).toBe(true);
  });

  test("at exactly the chance that is required", () => {
    expect(isWorthShowing({ chance: 0.25, length: 60, threshold: 0.25 })).toBe(true);
    expect(isWorthShowing({ chance: 0.2499, length: 60, threshold: 0.25 })).toBe(false);
  });

  test("more easily the longer it is, within fixed bounds", () => {
    fc.assert(
      fc.property(fc.nat(5_000), (length) => {
        const chance = breakEvenChance(length);
        expect(0.12 <= chance && chance <= 0.6).toBe(true);
        expect(breakEvenChance(length + 1) <= chance).toBe(true);
      }),
    );
  });
});
