import { expect, it } from "vitest";
import type { BlockAnswer } from "../block-answers.ts";
import { judgedPackages } from "../corpus.ts";
import type { InferenceAnswer } from "../inference-answers.ts";
import { blockTexts, storedTexts } from "./stored-texts.ts";

const [first] = judgedPackages;
const answer: InferenceAnswer = {
  package: first?.name ?? "",
  path: "src/a.ts",
  offset: 8,
  place: "middle",
  target: "1;",
  linePrefix: "let a = ",
  plain: "2;",
  ours: null,
  sureness: null,
  trigger: 0,
  local: [
    { text: "1;", chance: 0.5 },
    { text: "3;", chance: 0.1 },
  ],
};

it("puts each text back to its place, and leaves out what has no file or no text", () => {
  if (first === undefined) throw new Error("no judged package");
  const text = "let a = 1;\nlet b = 2;\n";
  const corpora = [
    { package: first, files: [{ path: "src/a.ts", text, languageId: "typescript" }] },
  ];
  const place = {
    target: "1;",
    prefix: "let a = ",
    suffix: "\nlet b = 2;\n",
    languageId: "typescript",
  };
  const answers = [answer, { ...answer, plain: "", local: [] }, { ...answer, path: "src/b.ts" }];
  expect(storedTexts(answers, corpora)).toEqual({
    model: [{ ...place, raw: "2;", origin: "model", multiline: false }],
    local: [
      { ...place, raw: "1;", origin: "local", multiline: false },
      { ...place, raw: "3;", origin: "local", multiline: false },
    ],
  });
});

it("leaves the pieces of a text of several lines as they came, and what the model did not see", () => {
  if (first === undefined) throw new Error("no judged package");
  const text = "f(() => {\n  a();\n  b();\n});\n";
  const corpora = [
    { package: first, files: [{ path: "src/a.ts", text, languageId: "typescript" }] },
  ];
  const block: BlockAnswer = {
    ...{ package: first.name, path: "src/a.ts", offset: 12, target: "a();\n  b();" },
    ...{ ends: "block", below: true, pieces: ["a()", ";\n"] },
  };
  const answers = [block, { ...block, below: false }, { ...block, pieces: [] }];
  const blockText = {
    ...{ target: block.target, prefix: "f(() => {\n  ", suffix: "\n});\n", below: true },
    ...{ languageId: "typescript", raw: "a();\n", pieces: block.pieces },
    ...{ origin: "model", multiline: true },
  };
  expect(blockTexts(answers, corpora)).toEqual([
    blockText,
    { ...blockText, suffix: "", below: false },
  ]);
});
