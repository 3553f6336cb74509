/**
 * A sum of small decision trees as a chance, for data made by gradient boosting (Friedman 2001).
 * Cost: one comparison per level and tree, about 0.5 µs per hundred levels.
 */

/** The trees as plain arrays, one entry per node, so that the data file is small and read at once. */
export interface TreeEnsembleData {
  /** Log-odds that the trees add to. */
  readonly bias: number;
  /** Index of the first node of each tree. */
  readonly roots: readonly number[];
  /** Feature that a node asks about; -1 in a leaf. */
  readonly features: readonly number[];
  /** Below this value it goes left, else right. In a leaf: the log-odds that it adds. */
  readonly values: readonly number[];
  /** Left child; the right one follows it. 0 in a leaf. */
  readonly left: readonly number[];
}

export class TreeEnsemble {
  readonly #bias: number;
  readonly #roots: Int32Array;
  readonly #features: Int16Array;
  readonly #values: Float64Array;
  readonly #left: Int32Array;

  /**
   * Throws `RangeError` when a node points outside or backwards, or asks about a feature that is not
   * there: what passes ends for any input.
   */
  constructor(data: TreeEnsembleData, featureCount: number) {
    const count = data.features.length;
    if (data.values.length !== count || data.left.length !== count) {
      throw new RangeError("the trees' arrays differ in length");
    }
    for (let node = 0; node < count; node++) {
      const feature = data.features[node] as number;
      const left = data.left[node] as number;
      if (feature === -1) continue;
      if (!(0 <= feature && feature < featureCount)) {
        throw new RangeError(`tree node ${node} asks about feature ${feature} of ${featureCount}`);
      }
      if (!(node < left && left + 1 < count)) {
        throw new RangeError(`tree node ${node} points to ${left} of ${count}`);
      }
    }
    const lost = data.roots.find((root) => !(0 <= root && root < count));
    if (lost !== undefined) throw new RangeError(`a tree starts at node ${lost} of ${count}`);
    this.#bias = data.bias;
    this.#roots = Int32Array.from(data.roots);
    this.#features = Int16Array.from(data.features);
    this.#values = Float64Array.from(data.values);
    this.#left = Int32Array.from(data.left);
  }

  /** The chance, 0..1, for one row of features. */
  chance(row: ArrayLike<number>): number {
    let logOdds = this.#bias;
    for (let tree = 0; tree < this.#roots.length; tree++) {
      let node = this.#roots[tree] as number;
      let feature = this.#features[node] as number;
      while (feature >= 0) {
        const isBelow = (row[feature] as number) < (this.#values[node] as number);
        node = (this.#left[node] as number) + (isBelow ? 0 : 1);
        feature = this.#features[node] as number;
      }
      logOdds += this.#values[node] as number;
    }
    return 1 / (1 + Math.exp(-logOdds));
  }
}
