import { describe, expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { fitTrees, type LabelledRows } from "./fit-trees.ts";

const options = { trees: 60, depth: 3, rate: 0.3, minLeafRows: 5, l2: 1 };

function rowsOf(rows: readonly (readonly [readonly number[], boolean])[]): LabelledRows {
  return {
    featureCount: rows[0]?.[0].length ?? 0,
    features: Float64Array.from(rows.flatMap(([features]) => features)),
    labels: Uint8Array.from(rows, ([, label]) => (label ? 1 : 0)),
  };
}

/** The chance that the trees state, from even odds on. */
function chance(trees: ReturnType<typeof learn>, features: readonly number[]): number {
  let logOdds = 0;
  for (const tree of trees) {
    let node = 0;
    while (node < tree.features.length) {
      const value = features[tree.features[node] ?? 0] ?? 0;
      node = 2 * node + (value <= (tree.thresholds[node] ?? 0) ? 1 : 2);
    }
    logOdds += tree.leaves[node - tree.features.length] ?? 0;
  }
  return 1 / (1 + Math.exp(-logOdds));
}

function learn(rows: LabelledRows): ReturnType<typeof fitTrees> {
  return fitTrees(rows, new Float64Array(rows.labels.length), options);
}

describe("fitted trees", () => {
  it("learn what no single threshold tells: one or the other, not both", () => {
    const random = createRandom(1);
    const rows = Array.from({ length: 800 }, () => {
      const features = [random.next(), random.next()];
      return [features, (features[0] ?? 0) > 0.5 !== (features[1] ?? 0) > 0.5] as const;
    });
    const trees = learn(rowsOf(rows));
    expect(chance(trees, [0.2, 0.8])).toBeGreaterThan(0.9);
    expect(chance(trees, [0.8, 0.2])).toBeGreaterThan(0.9);
    expect(chance(trees, [0.2, 0.2])).toBeLessThan(0.1);
    expect(chance(trees, [0.8, 0.8])).toBeLessThan(0.1);
  });

  it("state the share of the yes where the features say nothing more", () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => [[i % 2], i % 10 < 3] as const);
    const trees = learn(rowsOf(rows));
    // Of the even ones 0 and 2, of the odd ones 1: 40 % and 20 %.
    expect(chance(trees, [0])).toBeCloseTo(0.4, 2);
    expect(chance(trees, [1])).toBeCloseTo(0.2, 2);
  });

  it("are the same for the same rows", () => {
    const rows = rowsOf(Array.from({ length: 60 }, (_, i) => [[i % 7, i % 5], i % 3 === 0]));
    expect(learn(rows)).toEqual(learn(rows));
  });

  it("say what every row says", () => {
    const rows = rowsOf(Array.from({ length: 20 }, (_, i) => [[i], true]));
    expect(chance(learn(rows), [3])).toBeGreaterThan(0.95);
  });

  it("correct only what the known log-odds leave", () => {
    const rows = rowsOf(Array.from({ length: 1_000 }, (_, i) => [[i % 2], i % 4 < 2]));
    const trees = fitTrees(rows, new Float64Array(1_000).fill(2), options);
    expect(chance(trees, [0])).toBeCloseTo(1 / (1 + Math.exp(2)), 2);
  });
});
