import { expect, it } from "vitest";
import { fuse } from "./fusion.ts";

const at = (path: string, line: number, endLine: number) => ({ path, line, endLine });

it("A passage that two rankings have stands before one that leads a single ranking.", () => {
  const fused = fuse([
    [at("a.ts", 0, 10), at("b.ts", 0, 10)],
    [at("c.ts", 0, 10), at("b.ts", 3, 9)],
  ]);
  expect(fused.map(({ passage }) => passage.path)).toEqual(["b.ts", "a.ts", "c.ts"]);
});

it("Nothing gives nothing.", () => {
  expect(fuse([[], []])).toEqual([]);
});
