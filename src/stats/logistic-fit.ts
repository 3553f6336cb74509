/**
 * Logistic regression with a ridge, for the few features of a calibrator. Gradient descent on
 * standardised features (each with mean 0 and variance 1), which needs no matrices; O(steps × rows ×
 * features), well under a second for a thousand rows. Deterministic.
 */

/** One judged example. */
export interface LogisticExample {
  /** As many as `names` of the fit, in the same order. */
  readonly values: readonly number[];
  readonly isRight: boolean;
}

/** Log odds = bias + the sum of weight × value, on values as they came. */
export interface LogisticFit {
  readonly bias: number;
  readonly weights: readonly number[];
}

const STEPS = 3_000;
const RATE = 0.5;

/** `ridge` counts as so many examples against each weight; a feature that never varies gets 0. */
export function fitLogistic(
  examples: readonly LogisticExample[],
  options: { readonly ridge: number },
): LogisticFit {
  const count = examples.length;
  const width = examples[0]?.values.length ?? 0;
  const means = new Float64Array(width);
  const scales = new Float64Array(width);
  const of = (example: LogisticExample, i: number): number => example.values[i] ?? 0;
  for (let i = 0; i < width; i++) {
    for (const example of examples) means[i] = (means[i] as number) + of(example, i) / count;
    for (const example of examples) {
      scales[i] = (scales[i] as number) + (of(example, i) - (means[i] as number)) ** 2 / count;
    }
    const scale = Math.sqrt(scales[i] as number);
    // A mean of equal numbers is off by a rounding error.
    scales[i] = scale < 1e-9 * Math.abs(means[i] as number) ? 0 : scale;
  }
  const rows = examples.map((example) =>
    Float64Array.from({ length: width }, (_, i) =>
      scales[i] === 0 ? 0 : (of(example, i) - (means[i] as number)) / (scales[i] as number),
    ),
  );
  let bias = 0;
  const weights = new Float64Array(width);
  for (let step = 0; step < STEPS && count > 0; step++) {
    const slope = weights.map((weight) => -options.ridge * weight);
    let biasSlope = 0;
    rows.forEach((row, r) => {
      let score = bias;
      for (let i = 0; i < width; i++) score += (weights[i] as number) * (row[i] as number);
      const error = (examples[r]?.isRight === true ? 1 : 0) - 1 / (1 + Math.exp(-score));
      biasSlope += error;
      for (let i = 0; i < width; i++) slope[i] = (slope[i] as number) + error * (row[i] as number);
    });
    bias += (RATE * biasSlope) / count;
    for (let i = 0; i < width; i++) {
      weights[i] = (weights[i] as number) + (RATE * (slope[i] as number)) / count;
    }
  }
  const raw = Array.from(weights, (weight, i) =>
    scales[i] === 0 ? 0 : weight / (scales[i] as number),
  );
  const shift = raw.reduce((sum, weight, i) => sum + weight * (means[i] as number), 0);
  return { bias: bias - shift, weights: raw };
}
