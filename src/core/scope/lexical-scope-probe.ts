/**
 * The `ScopeProbe` made of the scanner: brackets, strings, template holes and comments, no grammar.
 *
 * A window may start in the middle of things. Two guesses cover the common ones: an end of a block
 * comment before any start, on a line that begins with `*`, and a triple quote that stands where one
 * closes. What is before them is not code.
 */
import type { Scope, ScopeProbe } from "../ports.ts";
import type { LexicalRules } from "./lexical-rules.ts";
import { lexicalRulesOf } from "./lexical-rules.ts";
import { Scanner } from "./scanner.ts";

/** A probe that knows only the table of languages. Stateless. */
export const lexicalScopeProbe: ScopeProbe = {
  at(prefix: string, languageId: string): Scope {
    const rules = lexicalRulesOf(languageId);
    const scanner = new Scanner(rules);
    const start = startOfCode(prefix, rules);
    scanner.scan(start === 0 ? prefix : prefix.slice(start), { base: start });
    return scanner.scope();
  },
};

/** Where the window leaves the comment or the string that it starts in; 0 when it starts in code. */
function startOfCode(prefix: string, rules: LexicalRules): number {
  const { blockComments, strings } = rules.language;
  for (const [open, close] of blockComments) {
    if (close !== "*/") continue;
    const end = prefix.indexOf(close);
    if (end < 0 || prefix.lastIndexOf(open, end) >= 0) continue;
    if (
      lineBefore(prefix, end + 1)
        .trim()
        .startsWith("*")
    )
      return end + close.length;
  }
  for (const { open, multiline } of strings) {
    if (!multiline || open.length !== 3) continue;
    const first = prefix.indexOf(open);
    if (first >= 0 && isWhereOneCloses(prefix, first, open)) return first + open.length;
  }
  return 0;
}

/** True for a triple quote after a sentence, or alone on its line under a line that opens nothing. */
function isWhereOneCloses(prefix: string, at: number, mark: string): boolean {
  const before = lineBefore(prefix, at).trim();
  if (before !== "") return /[\p{L}\p{N}.!?:;)]$/u.test(before) && !/^[a-z]{1,2}$/i.test(before);
  const lineStart = prefix.lastIndexOf("\n", at) + 1;
  const above = prefix.slice(0, lineStart).trimEnd();
  const opener = above.charAt(above.length - 1);
  const isAlone = /^\s*(\n|$)/.test(prefix.slice(at + mark.length, at + mark.length + 200));
  return isAlone && above !== "" && !":=([{,+\\".includes(opener);
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}
