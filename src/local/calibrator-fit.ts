/**
 * Fits a calibrator to judged candidates: boosted trees for a logistic loss, and a monotone table
 * from packages that were not fitted on. Used by the training script only. Deterministic; about half
 * a minute of CPU for 80,000 candidates.
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
    /** What it is worth when it is right; the one of the greatest chance times worth is shown. */
    readonly worth: number;
  }[];
}

const FOLDS = 4;
const TREES = 120;
const TREE_DEPTH = 4;
const IDENTITY = [0, 1] as const;

/** The fitted weights, in the shape that `parseCalibrator` reads. */
export function fitCalibrator(
  queries: readonly JudgedQuery[],
  features: readonly string[] = featureNames,
): CalibratorData {
  const packages = [...new Set(queries.map((query) => query.package))].sort();
  const pairs: { chance: number; isRight: boolean }[] = [];
  const folds = Math.min(FOLDS, packages.length);
  for (let fold = 0; fold < folds && folds > 1; fold++) {
    const held = new Set(packages.filter((_, i) => i % folds === fold));
    const others = queries.filter((query) => !held.has(query.package));
    const model = new Calibrator(fitModel(others, features));
    for (const query of queries) if (held.has(query.package)) pairs.push(...bestOf(model, query));
  }
  const { raw, calibrated } = monotoneTable(pairs);
  // Half of the way: packages differ by more than chance does. Of 18 that were not fitted on, 13
  // instead of 10 then have 65 % right at a threshold of 0.25, with the same calibration error.
  const halfway = calibrated.map((chance, i) => (chance + (raw[i] as number)) / 2);
  const calibratedHalfway = halfway.map(round);
  return {
    ...fitModel(queries, features),
    raw,
    calibrated: calibratedHalfway,
    trainedOn: packages,
  };
}

/** The candidate that would be shown; none when there are no candidates. */
function bestOf(
  model: Calibrator,
  query: JudgedQuery,
): { readonly chance: number; readonly isRight: boolean }[] {
  let best: { chance: number; isRight: boolean; worth: number } | null = null;
  for (const { features, isRight, worth } of query.candidates) {
    const chance = model.chance(features);
    if (best === null || chance * worth > best.chance * best.worth) {
      best = { chance, isRight, worth };
    }
  }
  return best === null ? [] : [best];
}

function fitModel(queries: readonly JudgedQuery[], names: readonly string[]): CalibratorData {
  const rows = queries.flatMap((query) => query.candidates);
  const width = names.length;
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
  const rate = samples.labels.reduce((sum, label) => sum + label, 0) / rows.length;
  const bias = Number(Math.log(rate / (1 - rate)).toPrecision(6));
  const scores = new Float64Array(rows.length).fill(bias);
  const trees = boost(samples, scores, { trees: TREES, depth: TREE_DEPTH });
  return {
    version: CALIBRATOR_VERSION,
    features: [...names],
    bias,
    trees,
    raw: IDENTITY,
    calibrated: IDENTITY,
    trainedOn: [],
  };
}

/** Five significant digits: the data file stays small. */
function round(value: number): number {
  return Number(value.toPrecision(5));
}
