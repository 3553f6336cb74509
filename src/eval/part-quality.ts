/**
 * How well the local model tells the certain part of a line where no whole rest is likely enough to be
 * shown. A part is right when the line goes on with it, and a name that it ends with ends there.
 */
import { isWordCode } from "../base/text.ts";
import { requiredChance } from "../core/index.ts";
import { expectedCalibrationError, type ScoredAnswer } from "../stats/calibration.ts";
import { mean } from "../stats/summary.ts";
import type { SampledCursor } from "./cursor-sample.ts";
import { calibrationBins, type ProposedText } from "./line-quality.ts";

/** How one question was answered, at one threshold. */
export type PartJudgement =
  | { readonly kind: "rest" }
  | {
      readonly kind: "part";
      /** The part that would save the most on average; `null` when there was none. */
      readonly first: ScoredAnswer | null;
      /** The first that is likely enough for its length; `null` when none is. */
      readonly shown: { readonly units: number; readonly isCorrect: boolean } | null;
    };

/** Figures over a set of questions; `NaN` where there is nothing to count. */
export interface PartQuality {
  /** Share of all questions at which a whole rest is shown, and at which a part is in its place. */
  readonly restCoverage: number;
  readonly coverage: number;
  /** Share of the shown parts that are right. */
  readonly precision: number;
  /** Mean length of a right one, in UTF-16 units. */
  readonly units: number;
  /** Of the first part, over the questions at which no rest is shown. */
  readonly calibrationError: number;
}

/** Whether a line that goes on with `target` goes on with `part`, and as a whole name. */
export function isRightPart(part: string, target: string): boolean {
  const endsInName = isWordCode(part.charCodeAt(part.length - 1));
  const goesOn = part.length < target.length && isWordCode(target.charCodeAt(part.length));
  return target.startsWith(part) && !(endsInName && goesOn);
}

/** Judges the parts at a cursor, in the order in which they are preferred. */
export function judgeParts(
  cursor: SampledCursor,
  answers: {
    readonly rests: readonly ProposedText[];
    readonly parts: readonly ProposedText[];
    readonly threshold: number;
  },
): PartJudgement {
  const { rests, parts, threshold } = answers;
  const isShown = ({ text, chance }: ProposedText): boolean =>
    chance >= requiredChance(text.length, threshold);
  if (rests.some(isShown)) return { kind: "rest" };
  const judged = parts.map((part) => ({
    ...part,
    isCorrect: isRightPart(part.text, cursor.target),
    units: part.text.length,
  }));
  return { kind: "part", first: judged[0] ?? null, shown: judged.find(isShown) ?? null };
}

/** Summarises the answers. */
export function partQuality(judgements: readonly PartJudgement[]): PartQuality {
  const open = judgements.filter((judgement) => judgement.kind === "part");
  const shown = open.flatMap((judgement) => judgement.shown ?? []);
  const right = shown.filter(({ isCorrect }) => isCorrect);
  const first = open.flatMap((judgement) => judgement.first ?? []);
  return {
    restCoverage: 1 - open.length / judgements.length,
    coverage: shown.length / judgements.length,
    precision: right.length / shown.length,
    units: mean(right.map(({ units }) => units)),
    calibrationError: expectedCalibrationError(first, calibrationBins),
  };
}
