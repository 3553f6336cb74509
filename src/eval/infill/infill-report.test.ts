import { expect, it } from "vitest";
import { renderMarkdown } from "../report/render-markdown.ts";
import { createStamp } from "../run/stamp.ts";
import type { InfillFigures } from "./infill-figures.ts";
import { infillReport } from "./infill-report.ts";

const figures: InfillFigures = {
  name: "own/single-line",
  tasks: 10,
  answered: 8,
  passAt: [{ k: 1, share: 0.5 }],
  answers: 8,
  passed: 4,
  exact: 0.25,
  exactFirstLine: 0.375,
  similarity: 0.75,
  wrong: 3,
  hung: 1,
  overLimit: 0,
  failed: 1,
  missing: 1,
  refusedBy: new Map([["blank", 2]]),
};

it("shows scores with their interval, what became of each answer, and what was lost", () => {
  const report = infillReport({
    stamp: createStamp({
      benchmark: "infill",
      version: "0",
      engine: { kind: "scripted", version: null },
      model: "own",
      quantisation: null,
      template: null,
      stops: [],
      sampling: { temperature: 0, samples: 1, maxTokens: 1, seed: 1 },
      scoring: "",
      choices: {},
    }),
    figures: [figures, { ...figures, name: "none", answered: 0, passAt: [], exact: Number.NaN }],
    views: [{ ...figures, name: "own, all" }],
    sources: [{ name: "own/single-line", toolchain: "Node", solutions: { all: 5, passing: 4 } }],
    remarks: ["own/multi-line: go is not installed."],
    losses: [{ task: "own:1", filters: ["lines-below"], left: null }],
    checks: [],
  });
  expect(report.lead).toContain("4 answers are missing");
  const rows = renderMarkdown(report, { pictureOf: () => null })
    .split("\n")
    .map((line) => line.replace(/\s+/g, " "));
  expect(rows).toContain("| own/single-line | 8 | 50.0 | 21.5 | 78.5 | 25.0 | 37.5 | 75.0 |");
  expect(rows).toContain("| own, all | 8 | 50.0 | 21.5 | 78.5 | 25.0 | 37.5 | 75.0 |");
  expect(rows).toContain("| own/single-line | 8 | 4 | 3 | 1 | 0 | 1 | 1 | blank 2 |");
  expect(rows).toContain("| own/single-line | Node | 5 | 4 |");
  expect(rows).toContain("own/multi-line: go is not installed.");
  expect(rows).toContain("| own:1 | lines-below | nothing |");
});
