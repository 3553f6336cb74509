/** Time in which somebody was at work, without asking the clock of anybody. */

/** A longer pause between two requests is a pause of the person. */
const MAX_PAUSE_MS = 5 * 60_000;
/** Whoever asked at all was there for a minute. */
const LEAST_MS = 60_000;

/** Hours between requests that follow within five minutes; at least a minute, 0 without any. */
export function activeHours(timesMs: readonly number[]): number {
  if (timesMs.length === 0) return 0;
  const ordered = [...timesMs].sort((a, b) => a - b);
  let total = 0;
  for (let i = 1; i < ordered.length; i++) {
    const pause = (ordered[i] ?? 0) - (ordered[i - 1] ?? 0);
    if (pause <= MAX_PAUSE_MS) total += pause;
  }
  return Math.max(LEAST_MS, total) / 3_600_000;
}
