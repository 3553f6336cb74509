import fc from "fast-check";
import { expect, test } from "vitest";
import { detokenise, Lexer } from "./lexer.ts";
import { TokenBuffer } from "./token-buffer.ts";
import { Vocabulary } from "./vocabulary.ts";

function roundTrip(text: string): string {
  const vocabulary = new Vocabulary();
  const buffer = new TokenBuffer();
  new Lexer(vocabulary).lex(text, 0, text.length, buffer);
  return detokenise(vocabulary, buffer.toArray(), "").slice(1);
}

function words(text: string): string[] {
  const vocabulary = new Vocabulary();
  const buffer = new TokenBuffer();
  new Lexer(vocabulary).lex(text, 0, text.length, buffer);
  return [...buffer.toArray()].map((token) => vocabulary.text(token));
}

const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\n",
    "\r\n",
    "  ",
    "\t",
    "    x",
    "=>",
    "1.5",
    "$a_b",
    "\ud800",
    "\u00e9",
    "...",
    "\r",
  ),
);

test("The tokens of any text are the text, its line ends aside.", () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      expect(roundTrip(text)).toBe(text.replaceAll("\r\n", "\n"));
    }),
    { numRuns: 500 },
  );
});

test("Words, numbers and operators carry one leading space.", () => {
  expect(words("a  = b.c1 + 1.5?.x;\n")).toEqual([
    "\n\0",
    "a",
    "  ",
    "=",
    " b",
    ".",
    "c1",
    " +",
    " 1.5",
    "?.",
    "x",
    ";",
    "\n",
  ]);
});

test("Equal code has equal tokens at every depth.", () => {
  const flat = words("f(\n  a,\n)\n");
  const deep = words("    f(\n      a,\n    )\n");
  expect(deep.slice(1)).toEqual(flat.slice(1));
});

test("A blank line leaves the indentation as it is.", () => {
  expect(words("  a\n\n  b")).toEqual(["\n\0  ", "a", "\n", "\n\0", "b"]);
});

test("Overlong words are cut, and lines beyond the limit are left out.", () => {
  const vocabulary = new Vocabulary();
  const buffer = new TokenBuffer();
  const text = `${"x".repeat(500_000)}\ny`;
  new Lexer(vocabulary).lex(text, 0, text.length, buffer, { maxLineUnits: 2000 });
  expect(buffer.length).toBe(1 + Math.ceil(2000 / 64) + 2);
  expect(vocabulary.lengthOf(buffer.tokens[1] as number)).toBe(64);
});
