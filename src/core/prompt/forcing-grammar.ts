/**
 * True for a beginning of blanks alone. Cut from a prompt, they end before the text of a token that
 * may have more of them: without a further demand a model is free to make an indentation deeper than
 * the person did. So no blank and no line end follows them; the answer may also end there.
 */
export function isOnlyBlanks(beginning: string): boolean {
  return beginning !== "" && beginning.trim() === "";
}

/** GBNF, the grammars of llama.cpp, for a text that begins with `beginning`; see `isOnlyBlanks`. */
export function forcingGrammar(beginning: string): string {
  const rest = isOnlyBlanks(beginning) ? "([^ \\t\\r\\n\\x00] [^\\x00]*)?" : "[^\\x00]*";
  return `root ::= "${gbnfText(beginning)}" ${rest}`;
}

/** A text as it stands between the quotation marks of a grammar. */
export function gbnfText(text: string): string {
  return text
    .replace(/["\\]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
}
