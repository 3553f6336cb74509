/** What a threshold costs and buys: how often something is shown, and how often that is right. */
import type { ScoredAnswer } from "./calibration.ts";

/** One point of the curve. */
export interface ShowPoint {
  readonly threshold: number;
  /** Answers whose chance reaches the threshold. */
  readonly shown: number;
  /** Share of all questions for which something is shown; 0 without questions. */
  readonly coverage: number;
  /** Share of the shown answers that are right; 0 when nothing is shown. */
  readonly precision: number;
}

/**
 * One point per threshold, in the order given. `questionCount` counts the questions without any
 * answer too; an answer is shown when its chance is at least the threshold.
 */
export function showCurve(
  answers: readonly ScoredAnswer[],
  options: { readonly questionCount: number; readonly thresholds: readonly number[] },
): readonly ShowPoint[] {
  return options.thresholds.map((threshold) => {
    const shown = answers.filter((answer) => answer.chance >= threshold);
    const correct = shown.filter((answer) => answer.isCorrect).length;
    return {
      threshold,
      shown: shown.length,
      coverage: options.questionCount === 0 ? 0 : shown.length / options.questionCount,
      precision: shown.length === 0 ? 0 : correct / shown.length,
    };
  });
}
