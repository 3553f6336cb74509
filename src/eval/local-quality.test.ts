import { describe, expect, it } from "vitest";
import { silentReporter } from "./bench-report.ts";
import type { Corpus } from "./corpus.ts";
import { formatLocalBench } from "./local-bench.ts";
import { localCharts } from "./local-charts.ts";
import { judgePackage } from "./local-quality.ts";
import { describeMachine } from "./machine.ts";

/** Twelve files that repeat a pattern with names of their own: half of each line can be known. */
const corpus: Corpus = {
  package: {
    name: "example",
    source: "npm",
    archiveName: "example",
    version: "1.0.0",
    checksum: "",
    folders: ["src"],
    extensions: [".ts"],
    languageId: "typescript",
  },
  files: Array.from({ length: 12 }, (_, f) => ({
    path: `f${f}.ts`,
    languageId: "typescript",
    text: Array.from(
      { length: 30 },
      (_, n) => `export const item${f}x${n} = createItem({ id: ${n}, owner: owner${f} });`,
    ).join("\n"),
  })),
};
const options = { heldOutFiles: 3, cursors: 90, seed: 1, reporter: silentReporter };

describe("the judgement of a package", () => {
  const quality = judgePackage(corpus, options);

  it("asks about held-out files only, as often as it was told", () => {
    expect([quality.files, quality.heldOutFiles, quality.leftOutFiles]).toEqual([12, 3, 0]);
    expect(quality.local.questions).toBe(90);
    expect(quality.baseline.questions).toBe(90);
  });

  it("finds what can be known: a model that reads the open file beats one that does not", () => {
    expect(quality.local.exactMatch.all).toBeGreaterThan(quality.baseline.exactMatch.all);
    expect(quality.gain.difference).toBeCloseTo(
      quality.local.exactMatch.all - quality.baseline.exactMatch.all,
      12,
    );
    expect(quality.local.reachable).toBeGreaterThanOrEqual(quality.local.exactMatch.all);
  });

  it("is the same each time, but for the times", () => {
    const again = judgePackage(corpus, options);
    expect([again.local, again.baseline, again.gain]).toEqual([
      quality.local,
      quality.baseline,
      quality.gain,
    ]);
  });

  it("is written as tables and charts", () => {
    const report = {
      machine: describeMachine(),
      sample: options,
      packages: [quality],
      missing: ["other: no client"],
      scale: null,
      checks: [],
      cpuMs: 0,
    };
    const text = formatLocalBench(report);
    expect(text).toContain("| example 1.0.0 |");
    expect(text).toMatch(/ 0\.25 \|/);
    expect(text).toContain("Not judged: other: no client.");
    expect(Object.keys(localCharts(report))).toEqual([
      "local-reliability.svg",
      "local-coverage.svg",
    ]);
  });
});
