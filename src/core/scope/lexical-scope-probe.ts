/**
 * The `ScopeProbe` made of the scanner: brackets, strings, template holes and comments, no grammar.
 *
 * A window may start in the middle of things. Two guesses cover the common ones: a `* /` without its
 * start means that everything before it was comment, and a triple quote alone on its line, under a
 * line that opens nothing, closes a literal that began above the window.
 */
import type { Scope, ScopeProbe } from "../ports.ts";
import type { LexicalRules } from "./lexical-rules.ts";
import { lexicalRulesOf } from "./lexical-rules.ts";
import { Scanner } from "./scanner.ts";

/** A probe that knows only the table of languages. Stateless. */
export const lexicalScopeProbe: ScopeProbe = {
  at(prefix: string, languageId: string): Scope {
    const rules = lexicalRulesOf(languageId);
    const scope = scopeOf(prefix, rules, 0);
    if (scope.delimiter === null || scope.delimiter.length !== 3) return scope;
    const bodyStart = endOfLiteralFromAbove(prefix, scope.delimiter);
    return bodyStart < 0 ? scope : scopeOf(prefix.slice(bodyStart), rules, bodyStart);
  },
};

function scopeOf(text: string, rules: LexicalRules, base: number): Scope {
  const scanner = new Scanner(rules);
  scanner.scan(text, { base });
  return scanner.scope();
}

/** Where the code starts after a literal that began above the window; -1 when none did. */
function endOfLiteralFromAbove(prefix: string, mark: string): number {
  if (mark !== '"""' && mark !== "'''") return -1;
  const first = prefix.indexOf(mark);
  const lineStart = prefix.lastIndexOf("\n", first) + 1;
  if (first < 0 || lineStart === 0) return -1;
  const lineEnd = prefix.indexOf("\n", first);
  const line = prefix.slice(lineStart, lineEnd < 0 ? prefix.length : lineEnd).trim();
  if (line !== mark) return -1;
  const above = prefix.slice(0, lineStart).trimEnd();
  const opener = above.charAt(above.length - 1);
  return above === "" || ":=([{,+\\".includes(opener) ? -1 : first + mark.length;
}
