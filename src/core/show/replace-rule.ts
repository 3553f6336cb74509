/** How much likelier another text must be before it takes the place of the one a person reads. */
const MARGIN = 0.15;

/**
 * Whether a shown text gives way to another. Never by flicker: both chances must be calibrated and
 * the new one greater by a margin of 0.15. `null` (uncalibrated) replaces nothing and is not replaced.
 */
export function mayReplaceShown(chances: {
  readonly shown: number | null;
  readonly next: number | null;
}): boolean {
  const { shown, next } = chances;
  return shown !== null && next !== null && next >= shown + MARGIN;
}
