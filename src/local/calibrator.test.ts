import { expect, test } from "vitest";
import { defaultCalibrator, parseCalibrator } from "./calibrator.ts";
import { fitCalibrator, type JudgedQuery } from "./calibrator-fit.ts";
import { featureNames } from "./features.ts";

const plain = {
  version: 1,
  features: [...featureNames],
  bias: 0,
  trees: [{ features: [2], thresholds: [0.5], leaves: [-1, 2] }],
  raw: [0, 1],
  calibrated: [0, 1],
  trainedOn: [],
};

function row(value: number): number[] {
  return featureNames.map((_, i) => (i === 2 ? value : 0));
}

test("Leaves add up to log odds, and the table bends the chance.", () => {
  const calibrator = parseCalibrator(plain);
  expect(calibrator.chance(row(0.5))).toBeCloseTo(1 / (1 + Math.exp(1)), 6);
  expect(calibrator.chance(row(0.6))).toBeCloseTo(1 / (1 + Math.exp(-2)), 6);
  const bent = parseCalibrator({ ...plain, trees: [], raw: [0, 0.5, 1], calibrated: [0, 0.2, 1] });
  expect(bent.chance(row(0))).toBeCloseTo(0.2, 6);
});

test("Weights of another shape are refused, and the message names the field.", () => {
  const wrong: [unknown, string][] = [
    [null, "calibrator"],
    [{ ...plain, version: 2 }, "version 2"],
    [{ ...plain, features: ["a"] }, "features"],
    [{ ...plain, bias: "0" }, "bias"],
    [{ ...plain, bias: Number.NaN }, "bias"],
    [{ ...plain, trees: [{ features: [999], thresholds: [0], leaves: [0, 0] }] }, "tree.features"],
    [{ ...plain, trees: [{ features: [1], thresholds: [0], leaves: [0] }] }, "tree.leaves"],
    [{ ...plain, raw: [0] }, "raw"],
    [{ ...plain, calibrated: [0] }, "calibrated"],
    [{ ...plain, trainedOn: 1 }, "trainedOn"],
  ];
  for (const [json, field] of wrong) expect(() => parseCalibrator(json)).toThrow(field);
});

test("The weights that ship come from packages and give chances.", () => {
  expect(defaultCalibrator.data.trainedOn.length).toBeGreaterThan(5);
  expect(defaultCalibrator.data.trees.length).toBeGreaterThan(20);
  const chance = defaultCalibrator.chance(featureNames.map(() => 0));
  expect(chance >= 0 && chance <= 1).toBe(true);
});

/** Questions with two candidates; feature 2 says how likely each is right. */
function questions(count: number): JudgedQuery[] {
  let state = 7;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, (_, i) => ({
    package: `package ${i % 6}`,
    candidates: [random(), random()].map((value) => ({
      features: row(value),
      isRight: random() < value * value,
      worth: 1,
    })),
  }));
}

test("A fit finds what is likely, twice the same, and its chances are frequencies.", () => {
  const data = fitCalibrator(questions(1500));
  expect(fitCalibrator(questions(1500))).toEqual(data);
  const calibrator = parseCalibrator(JSON.parse(JSON.stringify(data)));
  expect(calibrator.data.trainedOn).toHaveLength(6);
  for (const value of [0.2, 0.5, 0.8]) {
    expect(Math.abs(calibrator.chance(row(value)) - value * value)).toBeLessThan(0.12);
  }
});
