/**
 * Lines that the document has below the cursor are not proposed again.
 * Lines are compared for equality after trimming. At the end of a text a run of such lines is cut;
 * in its middle only a run of two different ones, because a single equal row may well be meant.
 * A line without a letter or digit is never an echo by itself.
 */
import { indentWidthAt } from "../../scope/indentation.ts";
import type { PostContext } from "../context.ts";
import type { PostFilter } from "../filter.ts";
import { cutAt, unlessBlank } from "../filter.ts";
import { hasWord, startsWithWord } from "../lines.ts";

interface Line {
  readonly start: number;
  readonly raw: string;
  readonly content: string;
}

export const linesBelow: PostFilter = {
  name: "lines-below",
  origin: "all",
  apply(candidate, context) {
    const below = context.linesBelow;
    if (below.length === 0) return candidate;
    const lines = linesOf(candidate.text, context);
    for (let i = 0; i < lines.length; i++) {
      if (!isEchoFrom(lines, i, below, context)) continue;
      const start = lines[i]?.start ?? 0;
      if (start === 0) return { reason: "duplicate" };
      const kept = cutAt(candidate, start);
      const isOpenLine = kept.text.trimEnd() === "" || context.tail.trim() === "";
      return unlessBlank(
        cutAt(kept, isOpenLine ? kept.text.trimEnd().length : start - 1),
        "duplicate",
      );
    }
    return candidate;
  },
};

/** The lines of the text that are not blank; the first is a line of the document with its head. */
function linesOf(text: string, context: PostContext): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; ; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const own = text.slice(start, end);
    const raw = start === 0 ? context.head + own : own;
    const isWhole = start > 0 || lineEnd >= 0 || context.tail.trim() === "";
    // A first line that is shared with the rest of the line is the overlap filter's matter.
    const content = isWhole ? raw.trim() : "";
    if (own.trim() !== "") lines.push({ start, raw, content });
    if (lineEnd < 0) return lines;
    start = lineEnd + 1;
  }
}

function isEchoFrom(
  lines: readonly Line[],
  first: number,
  below: readonly string[],
  context: PostContext,
): boolean {
  let words = 0;
  let i = first;
  for (; i < lines.length; i++) {
    const line = lines[i];
    const other = below[i - first];
    if (line === undefined || other === undefined) break;
    if (isSameLine(line.raw, line.content, other, context)) {
      if (hasWord(line.content)) words++;
      continue;
    }
    // The last line may be the start of one below: "}" before "} else {".
    const isStart = i === lines.length - 1 && words > 0 && other.trim().startsWith(line.content);
    if (!isStart) break;
  }
  if (words === 0) return false;
  if (i === lines.length) return true;
  return words >= MIN_RUN_INSIDE && lines[first]?.content !== lines[first + 1]?.content;
}

/** Lines with words that a run inside a text must have. */
export const MIN_RUN_INSIDE = 2;

/** True when a line of the text, with its indentation and trimmed, is a line of the document. */
export function isSameLine(
  raw: string,
  content: string,
  other: string,
  context: PostContext,
): boolean {
  if (content !== other.trim()) return false;
  // "end" closes the block of its indentation, not any block.
  return !isBlockEnd(content, context) || indentWidthAt(raw) === indentWidthAt(other);
}

function isBlockEnd(content: string, context: PostContext): boolean {
  return startsWithWord(content, context.language.blockEnds);
}
