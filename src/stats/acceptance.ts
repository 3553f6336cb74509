/**
 * Acceptance, and what keeps it honest. A text counts as a suggestion when it was on screen for at
 * least 750 ms or was taken (the rule of Cody's completion acceptance rate); typing along goes on with
 * the same suggestion. A rate without a sample is `null`, never 0.
 */
import type { ShownRecord } from "./completion-record.ts";
import { mean } from "./summary.ts";

/** A text that was on screen for a shorter time was not seen: a glance is not a decision. */
export const MIN_VISIBLE_MS = 750;

/** What became of the shown texts. */
export interface Acceptance {
  readonly shown: number;
  /** Shown for long enough, or taken. */
  readonly counted: number;
  /** Taken with the last key. */
  readonly accepted: number;
  /** Taken in part and then refused or left. */
  readonly partly: number;
  readonly rejected: number;
  /** By why, partly taken ones included. */
  readonly ignored: Readonly<Record<string, number>>;
  /** Still on screen, or nobody said. */
  readonly open: number;
  /** `(accepted + partly) / counted`. */
  readonly rate: number | null;
  /** Taken units over offered units, of the counted. */
  readonly weightedRate: number | null;
  /** Refused by hand, of all shown. */
  readonly rejectRate: number | null;
  /** Units that were taken. */
  readonly acceptedChars: number;
  /** Units per taken suggestion. */
  readonly meanAcceptedChars: number | null;
}

/** Sums up shown texts. */
export function acceptanceOf(shown: readonly ShownRecord[]): Acceptance {
  const counted = shown.filter(isCounted);
  const taken = shown.filter(({ acceptedChars, end }) => end === "accepted" || acceptedChars > 0);
  const accepted = shown.filter(({ end }) => end === "accepted").length;
  const rejected = shown.filter(({ end }) => end === "rejected").length;
  const acceptedChars = sum(taken.map((one) => one.acceptedChars));
  const ignored: Record<string, number> = {};
  for (const { why } of shown) if (why !== null) ignored[why] = (ignored[why] ?? 0) + 1;
  return {
    shown: shown.length,
    counted: counted.length,
    accepted,
    partly: taken.length - accepted,
    rejected,
    ignored,
    open: shown.filter(({ end }) => end === "open").length,
    rate: ratio(taken.length, counted.length),
    weightedRate: ratio(acceptedChars, sum(counted.map((one) => one.chars))),
    rejectRate: ratio(rejected, shown.length),
    acceptedChars,
    meanAcceptedChars: taken.length === 0 ? null : mean(taken.map((one) => one.acceptedChars)),
  };
}

/** True for a text that somebody had the time to decide about. */
export function isCounted({ end, acceptedChars, visibleMs }: ShownRecord): boolean {
  return end === "accepted" || acceptedChars > 0 || (visibleMs ?? 0) >= MIN_VISIBLE_MS;
}

/** `null` where there is nothing to divide by. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
