/**
 * A grammar for code whose brackets match: what the text opens it closes, and it may close what is
 * open at the cursor, from the innermost outwards. Brackets inside a string count for nothing. A model
 * held to it cannot write a closer of the wrong kind, nor end inside a bracket that it opened.
 *
 *   f(a, [█          `0], b)` and `0` are allowed, `0)` and `g(0` are not
 */
import { gbnfText, isOnlyBlanks } from "./forcing-grammar.ts";

/** Deeper ones may not be closed; grammars of more depth are slow and nobody writes such a line. */
const MAX_OPEN = 16;

/** In a class of characters: brackets, marks of strings, and the end of the text. */
const special = "()\\[\\]{}\"'\\x00";
const rules = [
  "items ::= item*",
  `item ::= [^${special}] | string | loose | "(" items ")" | "[" items "]" | "{" items "}"`,
  `string ::= ${stringOf('"')} | ${stringOf("'")}`,
  // An apostrophe in a comment: a mark without a partner, up to the end of its line.
  `loose ::= ${looseOf('"')} | ${looseOf("'")}`,
].join("\n");

/**
 * GBNF, the grammars of llama.cpp. `beginning` is what the text begins with, for token healing, `""`
 * for nothing; `open` are the brackets open at the cursor, outermost first.
 */
export function balancedGrammar(
  beginning: string,
  open: readonly { readonly close: string }[],
): string {
  const outwards = open
    .slice(-MAX_OPEN)
    .reduce((rest, { close }) => `("${gbnfText(close)}" items ${rest})?`, "");
  // What follows cut blanks is no blank; see `isOnlyBlanks`.
  const body = isOnlyBlanks(beginning) ? `(solid items ${outwards})?` : `items ${outwards}`;
  const solid = [
    `solid ::= [^ \\t\\r\\n${special}] | string | loose | "(" items ")" | "[" items "]" | "{" items "}"`,
  ];
  const needed = isOnlyBlanks(beginning) ? solid : [];
  const first = beginning === "" ? "" : `"${gbnfText(beginning)}" `;
  return [`root ::= ${first}${body}`.trimEnd(), rules, ...needed].join("\n");
}

function stringOf(mark: string): string {
  const quoted = `"${gbnfText(mark)}"`;
  return `${quoted} ([^${mark}\\\\\\n\\x00] | "\\\\" [^\\n\\x00])* ${quoted}`;
}

function looseOf(mark: string): string {
  return `"${gbnfText(mark)}" [^${mark}()\\[\\]{}\\n\\x00]* "\\n"`;
}
