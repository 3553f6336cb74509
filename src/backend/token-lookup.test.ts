import { expect, test } from "vitest";
import { lookUpTokens } from "./token-lookup.ts";
import type { TokenizeBody } from "./tokenize.ts";

const vocabulary = new Map([
  ["\n", [13]],
  ["<|fim_prefix|>", [1]],
  ["<fim_prefix>", [7, 8, 9]],
  ["\u2581<PRE>", [2]],
  ["<PRE>", [7, 9]],
]);

test("control tokens are looked up all at once, in both spellings", async () => {
  const asked: TokenizeBody[] = [];
  const found = await lookUpTokens(
    async (body) => {
      asked.push(body);
      return [body.content]
        .flat()
        .flatMap((part) => (typeof part === "number" ? [part] : (vocabulary.get(part) ?? [4, 5])));
    },
    ["<|fim_prefix|>", "<fim_prefix>", "<PRE>", "<nobody's>"],
    { signal: new AbortController().signal },
  );
  expect([...found]).toEqual([
    ["<|fim_prefix|>", 1],
    ["<PRE>", 2],
  ]);
  expect(asked).toHaveLength(2);
  expect(asked.every((body) => body.parse_special)).toBe(true);
});
