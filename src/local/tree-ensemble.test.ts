import { describe, expect, it } from "vitest";
import { TreeEnsemble, type TreeEnsembleData } from "./tree-ensemble.ts";

/** Two trees: feature 0 against 0.5, and a single leaf. */
const data: TreeEnsembleData = {
  bias: 0,
  roots: [0, 3],
  features: [0, -1, -1, -1],
  values: [0.5, -1, 1, Math.log(3)],
  left: [1, 0, 0, 0],
};

describe("trees", () => {
  it("add up to log-odds", () => {
    const trees = new TreeEnsemble(data, 1);
    // Odds 3 × e^-1 below the threshold, 3 × e at it and above.
    expect(trees.chance([0.4])).toBeCloseTo((3 * Math.exp(-1)) / (1 + 3 * Math.exp(-1)), 12);
    expect(trees.chance([0.5])).toBeCloseTo((3 * Math.E) / (1 + 3 * Math.E), 12);
  });

  it("are refused when a walk would not end", () => {
    expect(() => new TreeEnsemble({ ...data, left: [0, 0, 0, 0] }, 1)).toThrow(RangeError);
    expect(() => new TreeEnsemble({ ...data, left: [3, 0, 0, 0] }, 1)).toThrow(RangeError);
    expect(() => new TreeEnsemble({ ...data, features: [1, -1, -1, -1] }, 1)).toThrow(RangeError);
    expect(() => new TreeEnsemble({ ...data, roots: [0, 4] }, 1)).toThrow(RangeError);
    expect(() => new TreeEnsemble({ ...data, values: [0.5] }, 1)).toThrow(RangeError);
  });
});
