/**
 * Whether a text is worth a reader's time. It is shown if its chance of being right is at least
 * p* = V / (V + S): S seconds are saved when it is accepted, V seconds are lost reading it when not.
 * The constants are an estimate, not a fit: S = 0.2 s a character less 0.3 s for the accept,
 * V = 0.45 s and 0.015 s a character, at most 1.5 s; p* stays within 0.12 and 0.6.
 */

const SAVED_PER_CHARACTER = 0.2;
const ACCEPT_COST = 0.3;
const GLANCE_COST = 0.45;
const READ_PER_CHARACTER = 0.015;
const MAX_READ_COST = 1.5;
const LOWEST = 0.12;
const HIGHEST = 0.6;

/** Chance, 0..1, at which showing a text of `length` characters pays. */
export function breakEvenChance(length: number): number {
  const saved = SAVED_PER_CHARACTER * length - ACCEPT_COST;
  const lost = Math.min(MAX_READ_COST, GLANCE_COST + READ_PER_CHARACTER * length);
  if (saved <= 0) return HIGHEST;
  return Math.min(HIGHEST, Math.max(LOWEST, lost / (lost + saved)));
}

/**
 * Chance that a text of `length` characters must reach: the greater of `threshold` and the
 * break-even chance. A threshold of 0 switches both off.
 */
export function requiredChance(length: number, threshold: number): number {
  return threshold <= 0 ? 0 : Math.max(threshold, breakEvenChance(length));
}

/** Whether to show a text. One without a calibrated chance (`null`) is always shown. */
export function isWorthShowing(text: {
  readonly chance: number | null;
  readonly length: number;
  readonly threshold: number;
}): boolean {
  return text.chance === null || text.chance >= requiredChance(text.length, text.threshold);
}
