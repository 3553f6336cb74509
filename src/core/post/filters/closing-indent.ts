import { indentOf } from "../../../base/text.ts";
import type { PostFilter } from "../filter.ts";

/** A line that starts with a closer stands under the line that opened the block. */
export const closingIndent: PostFilter = {
  name: "closing-indent",
  origin: "all",
  apply(candidate, context) {
    const { head, prefix } = context;
    const first = context.structureOf(candidate.text).brackets[0];
    if (!context.headIsBlank || first === undefined || first.opens || first.partner === null)
      return candidate;
    const own = candidate.text.slice(0, first.offset);
    if (own.trim() !== "" || own.includes("\n") || first.partner >= 0) return candidate;
    const openedAt = prefix.length + first.partner;
    const opener = context.scope.openBrackets.find((bracket) => bracket.offset === openedAt);
    if (opener?.opensBlock !== true) return candidate;
    const lineStart = prefix.lastIndexOf("\n", openedAt) + 1;
    const line = prefix.slice(lineStart, openedAt);
    if (goesOn(line, prefix.slice(0, lineStart))) return candidate;
    const wanted = indentOf(line);
    const rest = candidate.text.slice(first.offset);
    if (head + own === wanted || !context.isHeldBy(rest, candidate.replaceAfter)) return candidate;
    if (wanted.startsWith(head)) return { ...candidate, text: wanted.slice(head.length) + rest };
    return head.startsWith(wanted)
      ? { ...candidate, text: rest, replaceBefore: head.length - wanted.length }
      : { ...candidate, text: wanted + rest, replaceBefore: head.length };
  },
};

/** True when a line goes on with the statement above: its indentation is not the statement's. */
function goesOn(line: string, above: string): boolean {
  if (/[=+*%&|?,(<-]$/.test(above.trimEnd()) || /^[&|?:.+*=<-]/.test(line.trim())) return true;
  let depth = 0;
  for (const char of line) {
    if ("([{".includes(char)) depth++;
    else if (")]".includes(char) && --depth < 0) return true;
  }
  return false;
}
