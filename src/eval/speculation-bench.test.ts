import { describe, expect, it } from "vitest";
import { type Backend, bareCapabilities, resolveFormat } from "../core/index.ts";
import { createRandom } from "../stats/random.ts";
import { silentReporter } from "./bench-report.ts";
import type { SourceFile } from "./source-file.ts";
import { formatSpeculationBench, runSpeculationBench } from "./speculation-bench.ts";
import { speculationCases } from "./speculation-cases.ts";

const functions = Array.from(
  { length: 12 },
  (_, i) => `export function total${i}(entries: readonly Entry[]): number {
  let amount = ${i};
  for (const entry of entries) {
    if (entry.isValid) amount += entry.price;
  }
  return amount;
}
`,
);
const files: readonly SourceFile[] = ["a", "b", "c", "d"].map((name) => ({
  path: `${name}.ts`,
  text: `// File ${name}\n${functions.join("\n")}`,
  languageId: "typescript",
}));

function cases(count: number) {
  return speculationCases(files, { count, random: createRandom(1) });
}

describe("texts for speculation", () => {
  it("are as many of each kind as were asked for, the same each time", () => {
    expect(cases(6)).toEqual(cases(6));
    const kinds = cases(6).map(({ kind }) => kind);
    for (const kind of ["rename", "repeated", "line"]) {
      expect(kinds.filter((each) => each === kind)).toHaveLength(6);
    }
  });

  it("a renamed copy begins as the block does, but for one name", () => {
    for (const { prefix } of cases(6).filter(({ kind }) => kind === "rename")) {
      const [block = "", copy = ""] = prefix.split("\n\n");
      const name = /\bnext([A-Z])(\w*)/.exec(copy);
      const old = `${name?.[1]?.toLowerCase()}${name?.[2]}`;
      expect(copy.replaceAll(`next${name?.[1]}${name?.[2]}`, old).trimEnd()).toBe(
        block.split("\n").slice(0, 8).join("\n"),
      );
    }
  });

  it("the rest of a line is asked for without it, up to the line's end", () => {
    for (const { prefix, suffix, stop } of cases(6).filter(({ kind }) => kind === "line")) {
      expect(prefix).not.toBe("");
      expect(suffix.startsWith("\n")).toBe(true);
      expect(stop).toEqual(["\n"]);
    }
  });
});

/** Answers at once, with as many steps as `steps` says for the number of drafts. */
function backend(steps: (drafts: number) => number, text: string): Backend {
  return {
    kind: "scripted",
    address: "scripted:",
    capabilities: bareCapabilities,
    async *complete({ drafts = [] }) {
      yield { kind: "text", text };
      const usage = { inputTokens: 9, cachedTokens: 0, outputTokens: 8 };
      const decodeSteps = steps(drafts.length);
      yield { kind: "done", finishReason: "stop", usage: { ...usage, decodeSteps } };
    },
    listModels: async () => [],
  };
}

describe("the bench", () => {
  it("adds up steps, and says where the text is another one", async () => {
    const format = resolveFormat({ model: "qwen2.5-coder", backendKind: "x", override: null });
    const report = await runSpeculationBench({
      plain: backend(() => 8, "same"),
      drafting: backend((drafts) => (drafts > 0 ? 2 : 4), "same"),
      model: "m",
      format,
      cases: cases(3),
      reporter: silentReporter,
    });
    expect(
      report.rows.map(({ answers, plainSteps, fileSteps }) => [answers, plainSteps, fileSteps]),
    ).toEqual([
      [3, 24, 12],
      [3, 24, 12],
      [3, 24, 12],
    ]);
    expect(report.rows[2]?.candidateSteps).toBeLessThanOrEqual(12);
    expect(report.checks.map(({ value }) => value)).toEqual([2, 1]);
    expect(formatSpeculationBench(report)).toContain("2.00");
  });
});
