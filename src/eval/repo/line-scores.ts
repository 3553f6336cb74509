/**
 * From answers to figures. Definitions:
 * exact match: the text is the rest of the line, blanks at the end aside, over all questions;
 * edit similarity: see `editSimilarity`, 0 where there is no text;
 * precision and coverage: see `showCurve`; a text without a chance is shown at every threshold;
 * calibration: of the texts with a chance, see `expectedCalibrationError`;
 * shown: a text that the product shows at the threshold, see `isWorthShowing`;
 * keystrokes saved: a person takes each right text that is shown with one key, and types everything
 * else: (characters taken - keys that took them) / characters of all targets.
 * Questions at which the backend failed are in none of them.
 */
import { isWorthShowing } from "../../core/index.ts";
import {
  calibrationErrorByLuck,
  expectedCalibrationError,
  type ReliabilityBin,
  reliabilityBins,
} from "../../stats/calibration.ts";
import { pairedBootstrap } from "../../stats/paired-bootstrap.ts";
import { createRandom, type Random } from "../../stats/random.ts";
import { type ShowPoint, showCurve } from "../../stats/show-curve.ts";
import { mean } from "../../stats/summary.ts";
import { editSimilarity, isExactMatch } from "../../stats/text-match.ts";
import type { LineAnswer } from "./line-answer.ts";

/** Thresholds of the curve. */
export const curveThresholds: readonly number[] = Array.from({ length: 20 }, (_, i) => i / 20);

/** Figures over a set of answers. Shares are 0..1; `NaN` where there is nothing to count. */
export interface LineScores {
  /** Without the failed ones. */
  readonly questions: number;
  readonly failed: number;
  /** Share of questions with a text. */
  readonly answered: number;
  readonly exactMatch: number;
  readonly editSimilarity: number;
  /** Texts with a chance; the calibration is theirs. */
  readonly calibrated: number;
  readonly calibrationError: number;
  /** What of it luck would bring, see `calibrationErrorByLuck`. */
  readonly calibrationByLuck: number;
  readonly reliability: readonly ReliabilityBin[];
  readonly curve: readonly ShowPoint[];
  /** By the product's rule at the threshold that was asked for. */
  readonly shown: { readonly count: number; readonly coverage: number; readonly precision: number };
  readonly keystrokesSaved: number;
}

/** Summarises answers; `threshold` is where a text is shown. */
export function lineScores(
  answers: readonly LineAnswer[],
  options: { readonly threshold: number },
): LineScores {
  const { threshold } = options;
  const asked = answers.filter(({ outcome }) => outcome.kind !== "failed");
  const judged = asked.map((answer) => ({ answer, ...judge(answer) }));
  const texts = judged.flatMap(({ answer: { outcome }, isCorrect }) =>
    outcome.kind === "text" ? [{ chance: outcome.chance, isCorrect }] : [],
  );
  const calibrated = texts.flatMap(({ chance, isCorrect }) =>
    chance === null ? [] : [{ chance, isCorrect }],
  );
  const certain = texts.map(({ chance, isCorrect }) => ({ chance: chance ?? 1, isCorrect }));
  let written = 0;
  let saved = 0;
  let shown = 0;
  let right = 0;
  for (const { answer, isCorrect } of judged) {
    const units = answer.target.trimEnd().length;
    written += units;
    if (!isShown(answer, threshold)) continue;
    shown++;
    if (!isCorrect) continue;
    right++;
    saved += units - 1;
  }
  return {
    questions: asked.length,
    failed: answers.length - asked.length,
    answered: texts.length / asked.length,
    exactMatch: mean(judged.map(({ isCorrect }) => (isCorrect ? 1 : 0))),
    editSimilarity: mean(judged.map(({ similarity }) => similarity)),
    calibrated: calibrated.length,
    calibrationError: expectedCalibrationError(calibrated),
    calibrationByLuck: calibrationErrorByLuck(
      calibrated.map(({ chance }) => chance),
      { random: createRandom(1) },
    ),
    reliability: reliabilityBins(calibrated, 10),
    curve: showCurve(certain, { questionCount: asked.length, thresholds: curveThresholds }),
    shown: { count: shown, coverage: shown / asked.length, precision: right / shown },
    keystrokesSaved: saved / written,
  };
}

/**
 * The 95 % interval of the exact match; questions of one file are drawn together. `null` where they are
 * all of one file, or where there is none.
 */
export function exactMatchInterval(
  answers: readonly LineAnswer[],
  options: { readonly random: Random },
): { readonly low: number; readonly high: number } | null {
  const pairs = answers.flatMap((answer) =>
    answer.outcome.kind === "failed"
      ? []
      : [{ left: 0, right: judge(answer).isCorrect ? 1 : 0, cluster: answer.path }],
  );
  if (new Set(pairs.map(({ cluster }) => cluster)).size < 2) return null;
  const { low, high } = pairedBootstrap(pairs, options);
  return { low, high };
}

function isShown({ outcome }: LineAnswer, threshold: number): boolean {
  if (outcome.kind !== "text") return false;
  const { text, chance } = outcome;
  return isWorthShowing({ chance, length: text.length, threshold });
}

function judge({ outcome, target }: LineAnswer): {
  readonly isCorrect: boolean;
  readonly similarity: number;
} {
  if (outcome.kind !== "text") return { isCorrect: false, similarity: 0 };
  return {
    isCorrect: isExactMatch(outcome.text, target),
    similarity: editSimilarity(outcome.text, target),
  };
}
