import { expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { sourceWays, type WorthAnswer, worthTexts } from "./context-worth.ts";
import { worthRows } from "./source-worth.ts";

function answer(offset: number, sources: string, text: string): WorthAnswer {
  return { package: "p", path: `f${offset}.ts`, offset, target: "abcd", sources, text };
}

it("Each choice of sources is held against none at the same places.", () => {
  const answers = [
    ...[answer(1, "none", "ab"), answer(1, "search", "abcd")],
    ...[answer(2, "none", ""), answer(2, "search", "abcd ")],
  ];
  const rows = worthRows(
    worthTexts(answers),
    sourceWays.map(({ name }) => name),
    createRandom(1),
  );
  expect(rows.map(({ sources, places }) => [sources, places])).toEqual([
    ["none", 2],
    ["search", 2],
  ]);
  expect(rows[0]).toMatchObject({ exactMatch: 0, similarity: 0.25 });
  expect(rows[1]).toMatchObject({ exactMatch: 1, similarity: 1 });
  expect(rows[1]?.matchGain).toMatchObject({ difference: 1, low: 1, high: 1 });
  expect(rows[1]?.similarityGain.difference).toBe(0.75);
});
