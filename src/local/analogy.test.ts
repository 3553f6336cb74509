import { expect, test } from "vitest";
import { type Analogy, AnalogyFinder, exchangeWords } from "./analogy.ts";
import { Lexer } from "./lexer.ts";
import { TokenBuffer } from "./token-buffer.ts";
import { Vocabulary } from "./vocabulary.ts";

/** The analogy of two line beginnings whose last `left` tokens are equal. */
function analogyOf(there: string, here: string, left: number): Analogy | null {
  const vocabulary = new Vocabulary();
  const lexer = new Lexer(vocabulary);
  const lexed = [there, here].map((text) => {
    const buffer = new TokenBuffer();
    lexer.lex(text, 0, text.length, buffer);
    return buffer.toArray();
  });
  const [tokens, context] = lexed as [Int32Array, Int32Array];
  return new AnalogyFinder(vocabulary, context, context.length).at(tokens, tokens.length, left);
}

function exchanged(there: string, here: string, left: number, word: string): string | null {
  const analogy = analogyOf(there, here, left);
  return analogy === null ? null : exchangeWords(word, analogy);
}

test("A word is exchanged for the one that stands in its place.", () => {
  expect(exchanged('export { map } from "./', 'export { filter } from "./', 5, "map")).toBe(
    "filter",
  );
  expect(exchanged("const map =", "const filter =", 1, " map")).toBe(" filter");
  expect(exchanged("const map =", "const filter =", 1, "reduce")).toBe("reduce");
});

test("What differs inside two words is exchanged inside longer words, in either case.", () => {
  const word = (name: string): string | null =>
    exchanged("const isCircle =", "const isSquare =", 1, name);
  expect(word("isCircle")).toBe("isSquare");
  expect(word("CircleSchema")).toBe("SquareSchema");
  expect(word("circleOf")).toBe("squareOf");
  expect(word("isRound")).toBe("isRound");
});

test("Where something other than words differs there is no analogy.", () => {
  expect(analogyOf("a +", "a +", 2)).toBe(null);
  expect(analogyOf("f( = 1", "f) = 1", 2)).toBe(null);
  expect(analogyOf("x[1] =", "x[2] =", 2)).toBe(null);
});

test("Several words may differ, but not too many.", () => {
  const four = analogyOf("aa bb cc dd ;", "ee ff gg hh ;", 1);
  expect(four?.exchanges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "dd hh",
    "cc gg",
    "bb ff",
  ]);
  expect(four?.aligned).toBe(3);
});
