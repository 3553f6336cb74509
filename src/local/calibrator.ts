/**
 * The chance that a candidate is right, from its features: small trees whose leaves add up to the
 * log odds (gradient boosting; Friedman, Annals of Statistics 2001), and a monotone table that takes
 * out the optimism of choosing the best of several. About 2 µs per candidate.
 */
import data from "./calibrator.data.json" with { type: "json" };
import { featureNames } from "./features.ts";

/** One tree of full depth: node i has the children 2i + 1 and 2i + 2; leaves follow the nodes. */
export interface CalibratorTree {
  /** Feature of each inner node; below or equal to its threshold the left child is next. */
  readonly features: readonly number[];
  readonly thresholds: readonly number[];
  readonly leaves: readonly number[];
}

/** Weights of a fitted calibrator. */
export interface CalibratorData {
  readonly version: number;
  readonly features: readonly string[];
  /** Log odds before the first tree. */
  readonly bias: number;
  readonly trees: readonly CalibratorTree[];
  /** Chance before and after the monotone table, both ascending; linear in between. */
  readonly raw: readonly number[];
  readonly calibrated: readonly number[];
  /** Packages that it was fitted on; never those that judge it. */
  readonly trainedOn: readonly string[];
}

/** Fitted weights, checked. */
export class Calibrator {
  readonly data: CalibratorData;

  constructor(data: CalibratorData) {
    this.data = data;
  }

  /** Chance, 0 to 1, of a candidate with these features, in the order of `featureNames`. */
  chance(features: readonly number[]): number {
    const raw = 1 / (1 + Math.exp(-this.#score(features)));
    return interpolate(this.data.raw, this.data.calibrated, raw);
  }

  #score(features: readonly number[]): number {
    let score = this.data.bias;
    for (const tree of this.data.trees) {
      const inner = tree.features.length;
      let node = 0;
      while (node < inner) {
        const value = features[tree.features[node] as number] as number;
        node = 2 * node + (value <= (tree.thresholds[node] as number) ? 1 : 2);
      }
      score += tree.leaves[node - inner] as number;
    }
    return score;
  }
}

/** Version of the shape that `parseCalibrator` reads. */
export const CALIBRATOR_VERSION = 1;

/**
 * Checks fitted weights for the features `names`, those of whole lines by default:
 * `{version: 1, features: [names], bias, trees: [{features, thresholds, leaves}], raw: [],
 * calibrated: [], trainedOn: [packages]}`, as `fitCalibrator` makes them.
 * A tree of depth d has 2^d - 1 nodes and 2^d leaves; `raw` and `calibrated` hold the monotone table, `[0, 1]` each
 * where there is none. The features must be those of this version, in their order.
 * Throws `TypeError` that names the field.
 */
export function parseCalibrator(
  json: unknown,
  names: readonly string[] = featureNames,
): Calibrator {
  const record = asRecord(json, "calibrator");
  if (record.version !== CALIBRATOR_VERSION) {
    throw new TypeError(
      `calibrator version ${String(record.version)} is not ${CALIBRATOR_VERSION}`,
    );
  }
  const features = asArray(record.features, "features").map(String);
  if (features.join() !== names.join()) {
    throw new TypeError("features are not those of this version");
  }
  const raw = asNumbers(record.raw, "raw");
  if (raw.length < 2) throw new TypeError("raw has fewer than two numbers");
  return new Calibrator({
    version: CALIBRATOR_VERSION,
    features,
    bias: asNumbers([record.bias], "bias")[0] as number,
    trees: asArray(record.trees, "trees").map((tree) => parseTree(tree, features.length)),
    raw,
    calibrated: asNumbers(record.calibrated, "calibrated", raw.length),
    trainedOn: asArray(record.trainedOn, "trainedOn").map(String),
  });
}

function parseTree(json: unknown, featureCount: number): CalibratorTree {
  const record = asRecord(json, "tree");
  const features = asNumbers(record.features, "tree.features");
  if (features.some((feature) => !(0 <= feature && feature < featureCount))) {
    throw new TypeError("tree.features names a feature that does not exist");
  }
  return {
    features,
    thresholds: asNumbers(record.thresholds, "tree.thresholds", features.length),
    leaves: asNumbers(record.leaves, "tree.leaves", features.length + 1),
  };
}

function asRecord(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new TypeError(`${field} is not an object`);
  return { ...value };
}

function asArray(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${field} is not an array`);
  return value;
}

function asNumbers(value: unknown, field: string, length?: number): readonly number[] {
  const numbers: number[] = [];
  for (const item of asArray(value, field)) {
    if (typeof item !== "number" || !Number.isFinite(item)) {
      throw new TypeError(`${field} holds ${String(item)}, which is no number`);
    }
    numbers.push(item);
  }
  if (length !== undefined && numbers.length !== length) {
    throw new TypeError(`${field} has ${numbers.length} numbers, not ${length}`);
  }
  return numbers;
}

function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  let high = 1;
  while (high < from.length - 1 && (from[high] as number) < value) high++;
  const x0 = from[high - 1] as number;
  const x1 = from[high] as number;
  const y0 = to[high - 1] as number;
  const y1 = to[high] as number;
  if (x1 <= x0) return y1;
  const part = Math.max(0, Math.min(1, (value - x0) / (x1 - x0)));
  return y0 + part * (y1 - y0);
}

/** The calibrator that ships. */
export const defaultCalibrator: Calibrator = parseCalibrator(data);
