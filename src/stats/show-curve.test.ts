import { expect, it } from "vitest";
import { showCurve } from "./show-curve.ts";

it("counts what reaches the threshold, and shares it among all questions", () => {
  const answers = [
    { chance: 0.2, isCorrect: false },
    { chance: 0.25, isCorrect: true },
    { chance: 0.5, isCorrect: false },
    { chance: 0.9, isCorrect: true },
  ];
  expect(showCurve(answers, { questionCount: 8, thresholds: [0.25, 0.9, 0.95] })).toEqual([
    { threshold: 0.25, shown: 3, coverage: 0.375, precision: 2 / 3 },
    { threshold: 0.9, shown: 1, coverage: 0.125, precision: 1 },
    { threshold: 0.95, shown: 0, coverage: 0, precision: 0 },
  ]);
  expect(showCurve([], { questionCount: 0, thresholds: [0.25] })).toEqual([
    { threshold: 0.25, shown: 0, coverage: 0, precision: 0 },
  ]);
});
