import { expect, it } from "vitest";
import { judgedPackages } from "../corpus.ts";
import type { InferenceAnswer } from "../inference-answers.ts";
import { storedTexts } from "./stored-texts.ts";

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
    model: [{ ...place, raw: "2;", origin: "model" }],
    local: [
      { ...place, raw: "1;", origin: "local" },
      { ...place, raw: "3;", origin: "local" },
    ],
  });
});
