import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { PathPatterns } from "./path-patterns.ts";

describe("PathPatterns", () => {
  it("lets later patterns win and leaves the earlier value as it was", () => {
    const first = PathPatterns.of(["*.log"], { isCaseIgnored: false });
    const second = first.with(["!keep.log"]);
    const paths = ["a/x.log", "keep.log", "x.LOG", "x.ts"];
    expect(paths.map((path) => first.match(path))).toEqual([true, true, false, false]);
    expect(paths.map((path) => second.match(path))).toEqual([true, false, false, false]);
  });

  it("keeps its memory small and its answers the same, however many paths it is asked about", () => {
    const lines = ["*.log", "!keep.log", "tmp/"];
    const patterns = PathPatterns.of(lines, { isCaseIgnored: false });
    const bare = ignore().add(lines);
    const ask = (from: number, match: (path: string) => boolean): number => {
      let matched = 0;
      for (let i = from; i < from + 20_000; i++) {
        const folder = i % 5 === 0 ? "tmp" : "src";
        if (match(`${folder}/folder-${i}/deeper-${i}/file-${i}.${i % 3 === 0 ? "log" : "ts"}`))
          matched++;
      }
      return matched;
    };
    const bareBytes = growthOf(() => ask(0, (path) => bare.ignores(path)));
    const bytes = growthOf(() => ask(0, (path) => patterns.match(path)));
    expect(bytes).toBeLessThan(bareBytes / 4);
    expect(ask(0, (path) => patterns.match(path))).toBe(ask(0, (path) => bare.ignores(path)));
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes of the heap that a run leaves behind. */
function growthOf(run: () => void): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  run();
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}
