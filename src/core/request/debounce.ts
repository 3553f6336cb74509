/**
 * How long to wait before a language model is asked, from how likely a suggestion is, how fast the
 * person types and how fast the model answers. The model without weights never waits.
 * The shape of the curve is the one Copilot's client used in 2022; its middle, and the scaling by
 * rhythm and latency, are ours.
 */
import { usualScore } from "./trigger-score.ts";

/** Shortest wait, what an unlikely position adds to it, in ms, and the score half-way between. */
const CURVE = { least: 25, range: 250, middle: usualScore, steepness: 6 } as const;

/** No wait is shorter or longer than this, in ms, whatever the history. */
const BOUNDS = { least: 25, most: 400 } as const;

/** The interval between keys, in ms, for which the curve is right as it is; about 60 words a minute. */
const USUAL_INTERVAL = 200;

/** Longer gaps, in ms, are pauses and say nothing about the rhythm. */
const PAUSE = 1_000;

/** Weight of a new measurement in the running means. */
const NEW_SHARE = 0.2;

/** What is known of a person's typing and a model's speed. `null` until something was measured. */
export interface RequestRhythm {
  readonly lastKeyMs: number | null;
  /** Running mean of the intervals between keys, pauses left out. */
  readonly keyIntervalMs: number | null;
  /** Running mean of the time from a question to its answer. */
  readonly answerMs: number | null;
}

/** Nothing known yet: the curve alone decides. */
export const initialRhythm: RequestRhythm = {
  lastKeyMs: null,
  keyIntervalMs: null,
  answerMs: null,
};

/** The rhythm after a key press. `nowMs` is monotonic; a clock that steps back counts as a pause. */
export function afterKey(rhythm: RequestRhythm, nowMs: number): RequestRhythm {
  const intervalMs = rhythm.lastKeyMs === null ? PAUSE : nowMs - rhythm.lastKeyMs;
  const isTyping = 0 < intervalMs && intervalMs < PAUSE;
  const keyIntervalMs = isTyping
    ? runningMean(rhythm.keyIntervalMs, intervalMs)
    : rhythm.keyIntervalMs;
  return { ...rhythm, lastKeyMs: nowMs, keyIntervalMs };
}

/** The rhythm after an answer that took `elapsedMs`. A negative or endless time is not counted. */
export function afterAnswer(rhythm: RequestRhythm, elapsedMs: number): RequestRhythm {
  if (!(0 <= elapsedMs && elapsedMs < Number.POSITIVE_INFINITY)) return rhythm;
  return { ...rhythm, answerMs: runningMean(rhythm.answerMs, elapsedMs) };
}

/**
 * Milliseconds to wait from the key press on, 25 to 400, before the language model is asked.
 * `score` is `triggerScore`'s, 0..1; one that is not a number counts as 0.
 */
export function waitMs(score: number, rhythm: RequestRhythm): number {
  const likely = score > 0 ? Math.min(score, 1) : 0;
  const curve = CURVE.least + CURVE.range / (1 + (likely / CURVE.middle) ** CURVE.steepness);
  // A slow typist's next key comes later: to save the same share of requests the wait must be longer.
  const pace = (rhythm.keyIntervalMs ?? USUAL_INTERVAL) / USUAL_INTERVAL;
  const paced = curve * Math.max(0.5, Math.min(pace, 1.5));
  // A model that answers at once is cheap to ask in vain; waiting longer than it works saves nothing.
  const worthwhile = Math.min(paced, (rhythm.answerMs ?? Number.POSITIVE_INFINITY) * 2);
  return Math.max(BOUNDS.least, Math.min(worthwhile, BOUNDS.most));
}

function runningMean(mean: number | null, value: number): number {
  return mean === null ? value : mean + NEW_SHARE * (value - mean);
}
