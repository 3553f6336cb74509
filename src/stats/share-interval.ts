/**
 * The 95 % interval of a share by Wilson's score method: good for small samples and shares near 0 or 1,
 * where the usual one leaves 0..1. `NaN` twice for no sample.
 */
export function shareInterval(
  successes: number,
  sample: number,
): { readonly low: number; readonly high: number } {
  const z = 1.959964;
  const share = successes / sample;
  const spread = (z * z) / sample;
  const middle = share + spread / 2;
  const half = z * Math.sqrt((share * (1 - share)) / sample + spread / (4 * sample));
  return {
    low: Math.max(0, (middle - half) / (1 + spread)),
    high: Math.min(1, (middle + half) / (1 + spread)),
  };
}
