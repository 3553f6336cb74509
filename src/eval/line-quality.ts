/** From single answers to the figures of a table: accuracy, calibration, the price of a threshold. */
import {
  calibrationErrorByLuck,
  expectedCalibrationError,
  type ReliabilityBin,
  reliabilityBins,
} from "../stats/calibration.ts";
import { createRandom } from "../stats/random.ts";
import { type ShowPoint, showCurve } from "../stats/show-curve.ts";
import { mean } from "../stats/summary.ts";
import { editSimilarity, isExactMatch } from "../stats/text-match.ts";
import type { CursorPlace, SampledCursor } from "./cursor-sample.ts";

/** A text proposed for the rest of a line. */
export interface ProposedText {
  readonly text: string;
  /** 0..1. */
  readonly chance: number;
}

/** How one question was answered. */
export interface Judgement {
  readonly cursor: SampledCursor;
  /** Chance of the best candidate; `null` when there was none. */
  readonly chance: number | null;
  /** The best candidate is the rest of the line. */
  readonly isCorrect: boolean;
  /** Some candidate is. */
  readonly isReachable: boolean;
  /** Of the best candidate with the rest of the line, 0..1; 0 when there was none. */
  readonly similarity: number;
}

/** Compares candidates, best first, with the rest of the line. Blank ones count as none. */
export function judge(cursor: SampledCursor, candidates: readonly ProposedText[]): Judgement {
  const { target } = cursor;
  const proposals = candidates.filter((candidate) => candidate.text.trim() !== "");
  const best = proposals[0];
  return {
    cursor,
    chance: best?.chance ?? null,
    isCorrect: best !== undefined && isExactMatch(best.text, target),
    isReachable: proposals.some((candidate) => isExactMatch(candidate.text, target)),
    similarity: best === undefined ? 0 : editSimilarity(best.text, target),
  };
}

/** Thresholds of the table; 0.25 is the default of the product. */
export const reportedThresholds = [0.15, 0.25, 0.35, 0.5, 0.7] as const;
/** Equal bins of the calibration error. */
export const calibrationBins = 15;

/** Figures over a set of questions. Shares are 0..1; `NaN` where there is no question. */
export interface LineQuality {
  readonly questions: number;
  /** Share of questions with a candidate. */
  readonly answered: number;
  readonly exactMatch: Readonly<Record<CursorPlace | "all", number>>;
  /** Share of questions with the right text among the candidates: what ranking could reach. */
  readonly reachable: number;
  readonly editSimilarity: number;
  /** Over the answered questions, which is stricter than over all of them. */
  readonly calibrationError: number;
  /** What of it luck would bring, see `calibrationErrorByLuck`. */
  readonly calibrationByLuck: number;
  readonly reliability: readonly ReliabilityBin[];
  readonly curve: readonly ShowPoint[];
}

/** Summarises the answers. */
export function lineQuality(judgements: readonly Judgement[]): LineQuality {
  const answers = judgements.flatMap(({ chance, isCorrect }) =>
    chance === null ? [] : [{ chance, isCorrect }],
  );
  const share = (
    isCounted: (judgement: Judgement) => boolean,
    among: readonly Judgement[] = judgements,
  ): number => mean(among.map((judgement) => (isCounted(judgement) ? 1 : 0)));
  const isCorrect = (judgement: Judgement): boolean => judgement.isCorrect;
  const correctAt = (place: CursorPlace): number =>
    share(
      isCorrect,
      judgements.filter(({ cursor }) => cursor.place === place),
    );
  return {
    questions: judgements.length,
    answered: share(({ chance }) => chance !== null),
    exactMatch: {
      start: correctAt("start"),
      middle: correctAt("middle"),
      word: correctAt("word"),
      all: share(isCorrect),
    },
    reachable: share(({ isReachable }) => isReachable),
    editSimilarity: mean(judgements.map(({ similarity }) => similarity)),
    calibrationError: expectedCalibrationError(answers, calibrationBins),
    calibrationByLuck: calibrationErrorByLuck(
      answers.map(({ chance }) => chance),
      { random: createRandom(1), binCount: calibrationBins },
    ),
    reliability: reliabilityBins(answers, calibrationBins),
    curve: showCurve(answers, {
      questionCount: judgements.length,
      thresholds: reportedThresholds,
    }),
  };
}
