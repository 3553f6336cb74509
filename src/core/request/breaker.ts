/**
 * A circuit breaker: a backend that keeps failing is left alone for a while, so that typing does not
 * wait for it each time. Pure: time comes in as milliseconds. The numbers are the usual ones of
 * gateways, shortened to what a person notices.
 */

/** Failures in a row after which the backend is left alone. */
const FAILURES_TO_OPEN = 5;
/** It is left alone for this long, in ms; each failed try doubles it up to the longest. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** What is known of a backend's health. */
export interface Breaker {
  readonly failures: number;
  readonly pauseMs: number;
  /** Nothing is asked before this time; `null` while all is well. */
  readonly openUntilMs: number | null;
}

/** Nothing has failed. */
export const closedBreaker: Breaker = { failures: 0, pauseMs: FIRST_PAUSE_MS, openUntilMs: null };

/**
 * Whether to ask now, and the breaker after the decision. When a pause is over one question passes as
 * a try, and the others wait for its end: the pause is set anew until then.
 */
export function admit(
  breaker: Breaker,
  nowMs: number,
): { readonly breaker: Breaker; readonly isAsked: boolean } {
  const { openUntilMs, pauseMs } = breaker;
  if (openUntilMs === null) return { breaker, isAsked: true };
  if (nowMs < openUntilMs) return { breaker, isAsked: false };
  return { breaker: { ...breaker, openUntilMs: nowMs + pauseMs }, isAsked: true };
}

/** After an answer. */
export function afterSuccess(): Breaker {
  return closedBreaker;
}

/** After a failure that is the backend's; cancellations and our own refusals are none. */
export function afterFailure(breaker: Breaker, nowMs: number): Breaker {
  const failures = breaker.failures + 1;
  if (failures < FAILURES_TO_OPEN) return { ...breaker, failures };
  const isRepeated = breaker.openUntilMs !== null;
  const pauseMs = isRepeated ? Math.min(breaker.pauseMs * 2, LONGEST_PAUSE_MS) : breaker.pauseMs;
  return { failures, pauseMs, openUntilMs: nowMs + pauseMs };
}

/** After a refusal that names how long the backend wants to be left alone, in ms. */
export function afterRefusal(breaker: Breaker, nowMs: number, waitMs: number): Breaker {
  return { ...breaker, openUntilMs: nowMs + waitMs };
}
