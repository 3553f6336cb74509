/**
 * The chance that at least one of `k` answers passes, estimated without bias from `samples` answers of
 * which `passed` did: `1 - C(samples - passed, k) / C(samples, k)`, after Chen et al., "Evaluating
 * Large Language Models Trained on Code" (2021). `RangeError` unless 1 ≤ k ≤ samples.
 */
export function passAtK(counts: {
  readonly samples: number;
  readonly passed: number;
  readonly k: number;
}): number {
  const { samples, passed, k } = counts;
  if (!(1 <= k && k <= samples)) throw new RangeError(`k is ${k}, there are ${samples} samples`);
  if (samples - passed < k) return 1;
  // The quotient of the binomials as a product, which cannot overflow.
  let allFail = 1;
  for (let i = samples - passed + 1; i <= samples; i++) allFail *= 1 - k / i;
  return 1 - allFail;
}
