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
    const wanted = indentOf(prefix.slice(lineStart, openedAt));
    const rest = candidate.text.slice(first.offset);
    if (head + own === wanted || !context.isHeldBy(rest, candidate.replaceAfter)) return candidate;
    if (wanted.startsWith(head)) return { ...candidate, text: wanted.slice(head.length) + rest };
    return head.startsWith(wanted)
      ? { ...candidate, text: rest, replaceBefore: head.length - wanted.length }
      : { ...candidate, text: wanted + rest, replaceBefore: head.length };
  },
};
