import { describe, expect, it } from "vitest";
import {
  calibrationErrorByLuck,
  expectedCalibrationError,
  reliabilityBins,
} from "./calibration.ts";
import { createRandom } from "./random.ts";

const answers = [
  { chance: 0.1, isCorrect: false },
  { chance: 0.15, isCorrect: true },
  { chance: 0.6, isCorrect: true },
  { chance: 0.7, isCorrect: false },
  { chance: 1, isCorrect: true },
];

describe("reliability bins", () => {
  it("puts each answer into the bin of its chance, a chance of 1 into the last", () => {
    const bins = reliabilityBins(answers, 2);
    expect(bins.map((bin) => [bin.low, bin.high, bin.count])).toEqual([
      [0, 0.5, 2],
      [0.5, 1, 3],
    ]);
    expect(bins[0]?.meanChance).toBeCloseTo(0.125, 12);
    expect(bins[0]?.accuracy).toBe(0.5);
    expect(bins[1]?.meanChance).toBeCloseTo(2.3 / 3, 12);
    expect(bins[1]?.accuracy).toBeCloseTo(2 / 3, 12);
  });

  it("opens a bin at its lower border", () => {
    const bins = reliabilityBins([{ chance: 0.2, isCorrect: true }], 5);
    expect(bins.map((bin) => bin.count)).toEqual([0, 1, 0, 0, 0]);
  });

  it("keeps chances outside 0..1 in the outer bins", () => {
    const bins = reliabilityBins(
      [
        { chance: -0.1, isCorrect: false },
        { chance: 1.1, isCorrect: true },
      ],
      3,
    );
    expect(bins.map((bin) => bin.count)).toEqual([1, 0, 1]);
  });

  it("refuses zero bins", () => {
    expect(() => reliabilityBins(answers, 0)).toThrow(RangeError);
  });
});

describe("expected calibration error", () => {
  it("weighs each bin by its answers", () => {
    // Bins of a half: 2/5 × |0.125 - 0.5| + 3/5 × |2.3/3 - 2/3| = 0.15 + 0.06.
    expect(expectedCalibrationError(answers, 2)).toBeCloseTo(0.21, 12);
  });

  it("uses 15 bins unless told otherwise", () => {
    // 0.1 and 0.15 fall into [1/15, 2/15) and [2/15, 3/15); 0.6 into [9/15, 10/15); 0.7 into
    // [10/15, 11/15): (0.1 + 0.85 + 0.4 + 0.7 + 0) / 5.
    expect(expectedCalibrationError(answers)).toBeCloseTo(0.41, 12);
  });

  it("is 0 for perfect chances and for no answers", () => {
    expect(
      expectedCalibrationError([
        { chance: 0, isCorrect: false },
        { chance: 1, isCorrect: true },
      ]),
    ).toBe(0);
    expect(expectedCalibrationError([])).toBe(0);
  });
});

describe("calibration error by luck", () => {
  const byLuck = (chances: readonly number[], binCount = 1): number =>
    calibrationErrorByLuck(chances, { random: createRandom(1), binCount });

  it("is none where nothing is left to luck", () => {
    expect(byLuck([])).toBe(0);
    expect(byLuck([0, 1, 1, 0], 2)).toBe(0);
  });

  it("is the mean distance of a binomial share from its chance", () => {
    // Of two coins: none, one or two heads, 0.5, 0 and 0.5 away.
    expect(byLuck([0.5, 0.5])).toBeCloseTo(0.25, 1);
    // sqrt(p(1-p)/n) * sqrt(2/pi) for many.
    const many = Array.from({ length: 1_000 }, () => 0.3);
    expect(byLuck(many)).toBeCloseTo(Math.sqrt((0.21 / 1_000) * (2 / Math.PI)), 2);
  });

  it("falls with the number of answers", () => {
    const spread = (n: number): number[] => Array.from({ length: n }, (_, i) => (i + 0.5) / n);
    expect(byLuck(spread(2_000), 15)).toBeLessThan(byLuck(spread(100), 15) / 2);
  });
});
