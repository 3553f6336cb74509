/**
 * The tokens of the sampler and of the n-gram baseline. A line end with the indentation after it is
 * one token; every other token carries the blanks before it, so that tokens joined are the text.
 */
const token =
  /\r?\n[ \t]*|[ \t]*(?:[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|=>|\?\?=?|\?\.|\.{3}|[-+*/%&|^!=<>]=+|&&|\|\||\*\*|\/\/|->|::?|[^\s]|$)|[^\S\n]+/gu;

/** The tokens of a text, in order. Joined they are the text. Never throws. */
export function codeTokens(text: string): string[] {
  return (text.match(token) ?? []).filter((part) => part !== "");
}

/** True for a token that ends a line. */
export function isLineEnd(part: string): boolean {
  return part.startsWith("\n") || part.startsWith("\r\n");
}
