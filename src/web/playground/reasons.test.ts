import { expect, it } from "vitest";
import { noCompletionReasons } from "../../core/index.ts";
import { reasonSentences, sentenceFor } from "./reasons.ts";

it("every reason has a sentence of its own that ends with a dot", () => {
  const sentences = noCompletionReasons.map(sentenceFor);
  expect(Object.keys(reasonSentences).sort()).toEqual([...noCompletionReasons].sort());
  expect(new Set(sentences).size).toBe(noCompletionReasons.length);
  expect(sentences.filter((sentence) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
});

it("a word that this page does not know is shown as it is", () => {
  expect(sentenceFor("toString")).toBe("Nothing to show: toString.");
});
