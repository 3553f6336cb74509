import { describe, expect, it } from "vitest";
import { TreeEnsemble } from "../local/tree-ensemble.ts";
import { createRandom } from "../stats/random.ts";
import { fitTrees, type LabelledRows } from "./fit-trees.ts";

const options = { trees: 40, depth: 3, rate: 0.3, minLeafRows: 5, l2: 1 };

function rowsOf(rows: readonly (readonly [readonly number[], boolean])[]): LabelledRows {
  return {
    featureCount: rows[0]?.[0].length ?? 0,
    features: Float64Array.from(rows.flatMap(([features]) => features)),
    labels: Uint8Array.from(rows, ([, label]) => (label ? 1 : 0)),
  };
}

describe("fitted trees", () => {
  it("learn what no single threshold tells: one or the other, not both", () => {
    const random = createRandom(1);
    const rows = Array.from({ length: 800 }, () => {
      const features = [random.next(), random.next()];
      return [features, (features[0] ?? 0) > 0.5 !== (features[1] ?? 0) > 0.5] as const;
    });
    const trees = new TreeEnsemble(fitTrees(rowsOf(rows), options), 2);
    expect(trees.chance([0.2, 0.8])).toBeGreaterThan(0.9);
    expect(trees.chance([0.8, 0.2])).toBeGreaterThan(0.9);
    expect(trees.chance([0.2, 0.2])).toBeLessThan(0.1);
    expect(trees.chance([0.8, 0.8])).toBeLessThan(0.1);
  });

  it("state the share of the yes where the features say nothing more", () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => [[i % 2], i % 10 < 3] as const);
    const trees = new TreeEnsemble(fitTrees(rowsOf(rows), options), 1);
    // Of the even ones 0 and 2, of the odd ones 1: 40 % and 20 %.
    expect(trees.chance([0])).toBeCloseTo(0.4, 2);
    expect(trees.chance([1])).toBeCloseTo(0.2, 2);
  });

  it("are the same for the same rows", () => {
    const rows = rowsOf(Array.from({ length: 60 }, (_, i) => [[i % 7, i % 5], i % 3 === 0]));
    expect(fitTrees(rows, options)).toEqual(fitTrees(rows, options));
  });

  it("are refused when every row says the same", () => {
    expect(() => fitTrees(rowsOf([[[1], true]]), options)).toThrow(RangeError);
  });
});
