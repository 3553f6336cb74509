/**
 * Gradient boosting for a logistic loss: trees of full depth on features cut into bins, second-order
 * gains (Chen & Guestrin, KDD 2016), each tree grown on a third of the samples (Friedman,
 * Computational Statistics 2002). Deterministic: the thirds are fixed, ties go to the first feature.
 */
import type { CalibratorTree } from "./calibrator.ts";

/** Judged rows: `values[row * width + feature]`, `labels[row]` 0 or 1. */
export interface Samples {
  readonly count: number;
  readonly width: number;
  readonly values: Float64Array;
  readonly labels: Float64Array;
}

const BINS = 48;
const LEARNING_RATE = 0.12;
/** Ridge on leaves, and the least curvature (about rows / 4) of a leaf. */
const LEAF_RIDGE = 4;
const LEAST_CURVATURE = 4;
/** Every tree sees one in so many samples, in turn. */
const PARTS = 3;
/** A threshold that every value is below: the node does not split. */
const NO_SPLIT = 1e9;

/** Trees that improve `scores`, which are changed along. */
export function boost(
  samples: Samples,
  scores: Float64Array,
  options: { readonly trees: number; readonly depth: number },
): CalibratorTree[] {
  const binned = cutIntoBins(samples);
  const parts = Array.from({ length: PARTS }, (_, part) => partOf(samples.count, part));
  const trees: CalibratorTree[] = [];
  const gradients = new Float64Array(samples.count);
  const curvatures = new Float64Array(samples.count);
  for (let i = 0; i < options.trees; i++) {
    for (let row = 0; row < samples.count; row++) {
      const chance = 1 / (1 + Math.exp(-at(scores, row)));
      gradients[row] = chance - at(samples.labels, row);
      curvatures[row] = chance * (1 - chance);
    }
    const rows = parts[i % PARTS] as Int32Array;
    trees.push(
      grow(samples, binned, { gradients, curvatures, scores, rows, depth: options.depth }),
    );
  }
  return trees;
}

/** Rows of one part; neighbours, which often are candidates of one question, are spread over all. */
function partOf(count: number, part: number): Int32Array {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    if ((Math.imul(row, 0x9e3779b1) >>> 16) % PARTS === part) rows.push(row);
  }
  return Int32Array.from(rows);
}

interface Binned {
  /** Bin of each value, one array per feature. */
  readonly bins: readonly Uint8Array[];
  /** `borders[feature][bin]`: values in the bin are at most this. */
  readonly borders: readonly (readonly number[])[];
}

function cutIntoBins({ count, width, values }: Samples): Binned {
  const bins: Uint8Array[] = [];
  const borders: number[][] = [];
  for (let feature = 0; feature < width; feature++) {
    const column = new Float64Array(count);
    for (let row = 0; row < count; row++) column[row] = values[row * width + feature] as number;
    const sorted = column.slice().sort();
    const own: number[] = [];
    for (let bin = 1; bin < BINS; bin++) {
      const value = round(sorted[Math.floor((bin * count) / BINS)] as number);
      if (own.length === 0 || value > (own[own.length - 1] as number)) own.push(value);
    }
    const ownBins = new Uint8Array(count);
    for (let row = 0; row < count; row++) {
      let bin = 0;
      while (bin < own.length && (column[row] as number) > (own[bin] as number)) bin++;
      ownBins[row] = bin;
    }
    bins.push(ownBins);
    borders.push(own);
  }
  return { bins, borders };
}

interface Growth {
  readonly gradients: Float64Array;
  readonly curvatures: Float64Array;
  readonly scores: Float64Array;
  /** Rows that the tree is grown on. */
  readonly rows: Int32Array;
  readonly depth: number;
}

function grow(samples: Samples, binned: Binned, growth: Growth): CalibratorTree {
  const inner = 2 ** growth.depth - 1;
  const features = new Array<number>(inner).fill(0);
  const thresholds = new Array<number>(inner).fill(NO_SPLIT);
  const leaves = new Array<number>(inner + 1).fill(0);
  const nodes = new Int32Array(samples.count);
  for (let level = 0; level < growth.depth; level++) {
    const first = 2 ** level - 1;
    const splits = bestSplits(samples, binned, growth, { nodes, first, count: first + 1 });
    splits.forEach((split, i) => {
      if (split === null) return;
      features[first + i] = split.feature;
      thresholds[first + i] = at(binned.borders[split.feature] as number[], split.bin);
    });
    for (let row = 0; row < samples.count; row++) {
      const node = at(nodes, row);
      const split = splits[node - first];
      const isRight =
        split !== null &&
        split !== undefined &&
        ((binned.bins[split.feature] as Uint8Array)[row] as number) > split.bin;
      nodes[row] = 2 * node + (isRight ? 2 : 1);
    }
  }
  const sums = new Float64Array((inner + 1) * 2);
  for (const row of growth.rows) {
    const leaf = at(nodes, row) - inner;
    sums[leaf * 2] = at(sums, leaf * 2) + at(growth.gradients, row);
    sums[leaf * 2 + 1] = at(sums, leaf * 2 + 1) + at(growth.curvatures, row);
  }
  for (let leaf = 0; leaf <= inner; leaf++) {
    leaves[leaf] = round(
      (-LEARNING_RATE * at(sums, leaf * 2)) / (at(sums, leaf * 2 + 1) + LEAF_RIDGE),
    );
  }
  for (let row = 0; row < samples.count; row++) {
    growth.scores[row] = at(growth.scores, row) + at(leaves, at(nodes, row) - inner);
  }
  return { features, thresholds, leaves };
}

interface Split {
  readonly feature: number;
  /** Values of this bin and below go left. */
  readonly bin: number;
}

/** The best split of each node of one level; `null` where none gains. */
function bestSplits(
  samples: Samples,
  binned: Binned,
  growth: Growth,
  level: { readonly nodes: Int32Array; readonly first: number; readonly count: number },
): (Split | null)[] {
  const { width } = samples;
  const all = Array.from({ length: width }, (_, feature) =>
    histogram(binned.bins[feature] as Uint8Array, growth, level),
  );
  return Array.from({ length: level.count }, (_, node) => {
    let best: Split | null = null;
    let bestGain = 1e-6;
    for (let feature = 0; feature < width; feature++) {
      const sums = all[feature] as Float64Array;
      const start = node * BINS * 2;
      let gradient = 0;
      let curvature = 0;
      for (let bin = 0; bin < BINS; bin++) {
        gradient += at(sums, start + bin * 2);
        curvature += at(sums, start + bin * 2 + 1);
      }
      let left = 0;
      let leftCurvature = 0;
      const cuts = (binned.borders[feature] as readonly number[]).length;
      for (let bin = 0; bin < cuts; bin++) {
        left += at(sums, start + bin * 2);
        leftCurvature += at(sums, start + bin * 2 + 1);
        const rightCurvature = curvature - leftCurvature;
        if (leftCurvature < LEAST_CURVATURE || rightCurvature < LEAST_CURVATURE) continue;
        const gain =
          gainOf(left, leftCurvature) +
          gainOf(gradient - left, rightCurvature) -
          gainOf(gradient, curvature);
        if (gain <= bestGain) continue;
        bestGain = gain;
        best = { feature, bin };
      }
    }
    return best;
  });
}

/** Sums of gradient and curvature by node and bin. */
function histogram(
  bins: Uint8Array,
  { gradients, curvatures, rows }: Growth,
  level: { readonly nodes: Int32Array; readonly first: number; readonly count: number },
): Float64Array {
  const sums = new Float64Array(level.count * BINS * 2);
  const { nodes, first } = level;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const slot = (((nodes[row] as number) - first) * BINS + (bins[row] as number)) * 2;
    sums[slot] = (sums[slot] as number) + (gradients[row] as number);
    sums[slot + 1] = (sums[slot + 1] as number) + (curvatures[row] as number);
  }
  return sums;
}

function gainOf(gradient: number, curvature: number): number {
  return (gradient * gradient) / (curvature + LEAF_RIDGE);
}

function at(list: readonly number[] | Float64Array | Int32Array, index: number): number {
  return list[index] as number;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
