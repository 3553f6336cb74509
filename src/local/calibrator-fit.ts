/**
 * Fits a calibrator to judged candidates: logistic regression on standardised features, trees
 * boosted on what it leaves, and a monotone table from packages that were not fitted on. Used by the
 * training script only. Deterministic; about a minute for 100,000 candidates.
 */

import { boost, type Samples } from "./boosted-trees.ts";
import { CALIBRATOR_VERSION, Calibrator, type CalibratorData } from "./calibrator.ts";
import { featureNames } from "./features.ts";
import { monotoneTable } from "./monotone-table.ts";

/** One question: its candidates, and which of them was right. */
export interface JudgedQuery {
  /** Package that it comes from; folds are made of whole packages. */
  readonly package: string;
  readonly candidates: readonly {
    readonly features: readonly number[];
    readonly isRight: boolean;
  }[];
}

const FOLDS = 5;
const EPOCHS = 300;
const LEARNING_RATE = 0.05;
const RIDGE = 1e-4;
const TREES = 80;
const TREE_DEPTH = 4;
const IDENTITY = [0, 1] as const;

/** The fitted weights, in the shape that `parseCalibrator` reads. */
export function fitCalibrator(queries: readonly JudgedQuery[]): CalibratorData {
  const packages = [...new Set(queries.map((query) => query.package))].sort();
  const pairs: { chance: number; isRight: boolean }[] = [];
  const folds = Math.min(FOLDS, packages.length);
  for (let fold = 0; fold < folds && folds > 1; fold++) {
    const held = new Set(packages.filter((_, i) => i % folds === fold));
    const model = new Calibrator(fitModel(queries.filter((query) => !held.has(query.package))));
    for (const query of queries) if (held.has(query.package)) pairs.push(...bestOf(model, query));
  }
  const { raw, calibrated } = monotoneTable(pairs);
  return { ...fitModel(queries), raw, calibrated, trainedOn: packages };
}

/** The candidate that would be shown; none when there are no candidates. */
function bestOf(
  model: Calibrator,
  query: JudgedQuery,
): { readonly chance: number; readonly isRight: boolean }[] {
  let best: { chance: number; isRight: boolean } | null = null;
  for (const { features, isRight } of query.candidates) {
    const chance = model.chance(features);
    if (best === null || chance > best.chance) best = { chance, isRight };
  }
  return best === null ? [] : [best];
}

function fitModel(queries: readonly JudgedQuery[]): CalibratorData {
  const rows = queries.flatMap((query) => query.candidates);
  const width = featureNames.length;
  const samples: Samples = {
    count: rows.length,
    width,
    values: new Float64Array(rows.length * width),
    labels: new Float64Array(rows.length),
  };
  rows.forEach(({ features, isRight }, row) => {
    samples.values.set(features, row * width);
    samples.labels[row] = isRight ? 1 : 0;
  });
  const linear = fitLinear(samples);
  const scores = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row++) scores[row] = linearScore(samples, linear, row);
  const trees = boost(samples, scores, { trees: TREES, depth: TREE_DEPTH });
  return {
    version: CALIBRATOR_VERSION,
    features: [...featureNames],
    ...linear,
    trees,
    raw: IDENTITY,
    calibrated: IDENTITY,
    trainedOn: [],
  };
}

type Linear = Pick<CalibratorData, "mean" | "scale" | "weights" | "bias">;

/** Gradient descent with per-weight steps (Adam; Kingma & Ba 2015) over all samples at once. */
function fitLinear(samples: Samples): Linear {
  const { count, width, values, labels } = samples;
  const mean = new Array<number>(width).fill(0);
  const scale = new Array<number>(width).fill(0);
  for (let i = 0; i < values.length; i++) mean[i % width] = at(mean, i % width) + at(values, i);
  for (let i = 0; i < width; i++) mean[i] = round(at(mean, i) / count);
  for (let i = 0; i < values.length; i++) {
    const distance = at(values, i) - at(mean, i % width);
    scale[i % width] = at(scale, i % width) + distance * distance;
  }
  for (let i = 0; i < width; i++) scale[i] = round(Math.sqrt(at(scale, i) / count)) || 1;
  const scaled = values.map((value, i) => (value - at(mean, i % width)) / at(scale, i % width));

  const size = width + 1;
  const weights = new Float64Array(size);
  const gradient = new Float64Array(size);
  const first = new Float64Array(size);
  const second = new Float64Array(size);
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    gradient.fill(0);
    for (let row = 0; row < count; row++) {
      let score = at(weights, width);
      for (let i = 0; i < width; i++) score += at(weights, i) * at(scaled, row * width + i);
      const error = 1 / (1 + Math.exp(-score)) - at(labels, row);
      for (let i = 0; i < width; i++) {
        gradient[i] = at(gradient, i) + error * at(scaled, row * width + i);
      }
      gradient[width] = at(gradient, width) + error;
    }
    for (let i = 0; i < size; i++) {
      const slope = at(gradient, i) / count + RIDGE * at(weights, i);
      first[i] = 0.9 * at(first, i) + 0.1 * slope;
      second[i] = 0.99 * at(second, i) + 0.01 * slope * slope;
      const step = at(first, i) / (1 - 0.9 ** epoch);
      const spread = Math.sqrt(at(second, i) / (1 - 0.99 ** epoch)) + 1e-8;
      weights[i] = at(weights, i) - (LEARNING_RATE * step) / spread;
    }
  }
  const rounded = [...weights].map(round);
  return { mean, scale, weights: rounded.slice(0, width), bias: at(rounded, width) };
}

function linearScore(samples: Samples, linear: Linear, row: number): number {
  let score = linear.bias;
  for (let i = 0; i < samples.width; i++) {
    const value = at(samples.values, row * samples.width + i) - at(linear.mean, i);
    score += (at(linear.weights, i) * value) / at(linear.scale, i);
  }
  return score;
}

function at(list: ArrayLike<number>, index: number): number {
  return list[index] as number;
}

/** Six significant digits: the data file stays small, the result the same. */
function round(value: number): number {
  return Number(value.toPrecision(6));
}
