/** Small summaries of samples. */

/**
 * The nearest-rank percentile: the smallest value that at least `share` (0..1) of the sample does
 * not exceed, so always a value of the sample. `NaN` for an empty sample.
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const ordered = Float64Array.from(values).sort();
  const rank = Math.min(ordered.length, Math.max(1, Math.ceil(share * ordered.length)));
  return ordered[rank - 1] as number;
}

/** Arithmetic mean; `NaN` for an empty sample. */
export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? Number.NaN : sum / values.length;
}
