/**
 * Gradient boosting for a chance (Friedman 2001, second-order steps as in XGBoost, histograms as in
 * LightGBM): each tree corrects the errors of the sum so far. Features are cut into at most 64 bins at
 * their quantiles, so a level of a tree costs O(rows × features). Deterministic.
 */
import type { CalibratorTree } from "../local/index.ts";

/** Rows of features with a yes or no each. */
export interface LabelledRows {
  readonly featureCount: number;
  /** Row i is `features[i * featureCount, (i + 1) * featureCount)`. */
  readonly features: Float64Array;
  /** 1 for yes, 0 for no. */
  readonly labels: Uint8Array;
}

export interface FitOptions {
  readonly trees: number;
  readonly depth: number;
  /** Part of each tree's correction that is taken. */
  readonly rate: number;
  /** Rows that a leaf must hold. */
  readonly minLeafRows: number;
  /** Pulls the values of small leaves to 0. */
  readonly l2: number;
}

const MAX_BINS = 64;

/**
 * Fits the trees, and the bias that they add to. `offsets` are log-odds that are already known for
 * each row, such as those of a linear model; the trees correct them.
 */
export function fitTrees(
  rows: LabelledRows,
  offsets: Float64Array,
  options: FitOptions,
): readonly CalibratorTree[] {
  const { featureCount, labels } = rows;
  const rowCount = labels.length;
  const edges = Array.from({ length: featureCount }, (_, feature) => binEdges(rows, feature));
  const bins = binRows(rows, edges);
  const sums = Float64Array.from(offsets);
  const slopes = new Float64Array(rowCount);
  const curvatures = new Float64Array(rowCount);
  const trees: CalibratorTree[] = [];
  for (let i = 0; i < options.trees; i++) {
    for (let row = 0; row < rowCount; row++) {
      const chance = 1 / (1 + Math.exp(-(sums[row] as number)));
      slopes[row] = chance - (labels[row] as number);
      curvatures[row] = chance * (1 - chance);
    }
    const { tree, leafOfRow } = growTree({ bins, edges, slopes, curvatures, options });
    trees.push(tree);
    for (let row = 0; row < rowCount; row++) {
      const value = tree.leaves[leafOfRow[row] as number] as number;
      sums[row] = (sums[row] as number) + value;
    }
  }
  return trees;
}

interface Growth {
  /** Bin of each feature of each row. */
  readonly bins: Uint8Array;
  /** Upper borders of the bins 0, 1, … of each feature. */
  readonly edges: readonly (readonly number[])[];
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
  readonly options: FitOptions;
}

/**
 * One tree of full depth, level by level; node i has the children 2i + 1 and 2i + 2. Below a node that
 * no split improves, every leaf has that node's value.
 */
function growTree(growth: Growth): {
  readonly tree: CalibratorTree;
  readonly leafOfRow: Int32Array;
} {
  const { bins, edges, slopes, options } = growth;
  const featureCount = edges.length;
  const inner = 2 ** options.depth - 1;
  const features = new Array<number>(inner).fill(0);
  const thresholds = new Array<number>(inner).fill(0);
  /** Last bin of the left side; -1 where nothing splits. */
  const splitBins = new Int32Array(inner).fill(-1);
  const values = new Array<number>(2 * inner + 1).fill(0);
  const nodes = new Int32Array(slopes.length);
  for (let level = 0; level <= options.depth; level++) {
    const first = 2 ** level - 1;
    const histograms = histogramsOf(growth, nodes, first, first + 1);
    for (let node = first; node <= 2 * first; node++) {
      const parent = (node - 1) >> 1;
      const isStopped = node > 0 && splitBins[parent] === -1;
      const histogram = histograms[node - first] as Histogram;
      values[node] = isStopped ? (values[parent] as number) : leafValue(histogram, options);
      const split =
        isStopped || level === options.depth ? null : bestSplit(histogram, edges, options);
      if (split === null) continue;
      features[node] = split.feature;
      thresholds[node] = (edges[split.feature] as readonly number[])[split.bin] as number;
      splitBins[node] = split.bin;
    }
    if (level === options.depth) break;
    for (let row = 0; row < nodes.length; row++) {
      const node = nodes[row] as number;
      const bin = bins[row * featureCount + (features[node] as number)] as number;
      nodes[row] = 2 * node + (bin <= (splitBins[node] as number) ? 1 : 2);
    }
  }
  const leafOfRow = nodes.map((node) => node - inner);
  return { tree: { features, thresholds, leaves: values.slice(inner) }, leafOfRow };
}

/** Sums of a node's rows by feature and bin. */
interface Histogram {
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
  readonly counts: Int32Array;
}

function histogramsOf(
  { bins, edges, slopes, curvatures }: Growth,
  nodes: Int32Array,
  first: number,
  count: number,
): readonly Histogram[] {
  const featureCount = edges.length;
  const size = featureCount * MAX_BINS;
  const histograms = Array.from({ length: count }, () => ({
    slopes: new Float64Array(size),
    curvatures: new Float64Array(size),
    counts: new Int32Array(size),
  }));
  for (let row = 0; row < nodes.length; row++) {
    const node = (nodes[row] as number) - first;
    const histogram = histograms[node] as Histogram;
    const slope = slopes[row] as number;
    const curvature = curvatures[row] as number;
    for (let feature = 0; feature < featureCount; feature++) {
      const at = feature * MAX_BINS + (bins[row * featureCount + feature] as number);
      histogram.slopes[at] = (histogram.slopes[at] as number) + slope;
      histogram.curvatures[at] = (histogram.curvatures[at] as number) + curvature;
      histogram.counts[at] = (histogram.counts[at] as number) + 1;
    }
  }
  return histograms;
}

/** Every feature's bins hold all rows of the node: the first feature's are added up. */
function totals({ slopes, curvatures, counts }: Histogram): {
  readonly slope: number;
  readonly curvature: number;
  readonly count: number;
} {
  let slope = 0;
  let curvature = 0;
  let count = 0;
  for (let bin = 0; bin < MAX_BINS; bin++) {
    slope += slopes[bin] as number;
    curvature += curvatures[bin] as number;
    count += counts[bin] as number;
  }
  return { slope, curvature, count };
}

/** Rounded, so that the file stays small. */
function leafValue(histogram: Histogram, { l2, rate }: FitOptions): number {
  const { slope, curvature } = totals(histogram);
  return Number(((-slope / (curvature + l2)) * rate).toPrecision(4));
}

function bestSplit(
  histogram: Histogram,
  edges: readonly (readonly number[])[],
  { minLeafRows, l2 }: FitOptions,
): { readonly feature: number; readonly bin: number } | null {
  const all = totals(histogram);
  const unsplit = all.slope ** 2 / (all.curvature + l2);
  let best: { feature: number; bin: number } | null = null;
  let bestGain = 1e-9;
  for (let feature = 0; feature < edges.length; feature++) {
    let slope = 0;
    let curvature = 0;
    let count = 0;
    const borders = (edges[feature] as readonly number[]).length;
    for (let bin = 0; bin < borders; bin++) {
      const at = feature * MAX_BINS + bin;
      slope += histogram.slopes[at] as number;
      curvature += histogram.curvatures[at] as number;
      count += histogram.counts[at] as number;
      if (count < minLeafRows) continue;
      if (all.count - count < minLeafRows) break;
      const right = (all.slope - slope) ** 2 / (all.curvature - curvature + l2);
      const gain = slope ** 2 / (curvature + l2) + right - unsplit;
      if (gain > bestGain) {
        bestGain = gain;
        best = { feature, bin };
      }
    }
  }
  return best;
}

/**
 * Different quantiles of a feature but its greatest, rounded so that the file stays small. A value
 * equal to an edge lies left of it, as the calibrator reads its thresholds.
 */
function binEdges({ features, featureCount }: LabelledRows, feature: number): readonly number[] {
  const values = new Float64Array(features.length / featureCount);
  for (let row = 0; row < values.length; row++) {
    values[row] = features[row * featureCount + feature] as number;
  }
  values.sort();
  const edges: number[] = [];
  for (let bin = 1; bin < MAX_BINS; bin++) {
    const quantile = values[Math.floor((bin * values.length) / MAX_BINS)] as number;
    const edge = Number(quantile.toPrecision(4));
    const isLess = edge < (values.at(-1) as number);
    if (isLess && edge > (edges.at(-1) ?? Number.NEGATIVE_INFINITY)) edges.push(edge);
  }
  return edges;
}

function binRows(
  { features, featureCount, labels }: LabelledRows,
  edges: readonly (readonly number[])[],
): Uint8Array {
  const bins = new Uint8Array(labels.length * featureCount);
  for (let at = 0; at < bins.length; at++) {
    const borders = edges[at % featureCount] as readonly number[];
    const value = features[at] as number;
    let low = 0;
    let high = borders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value <= (borders[middle] as number)) high = middle;
      else low = middle + 1;
    }
    bins[at] = low;
  }
  return bins;
}
