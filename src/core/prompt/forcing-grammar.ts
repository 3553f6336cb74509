/** GBNF, the grammars of llama.cpp, for a text that begins with `beginning`. */
export function forcingGrammar(beginning: string): string {
  const literal = beginning
    .replace(/["\\]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `root ::= "${literal}" [^\\x00]*`;
}
