import type { PostContext } from "../context.ts";
import type { PostFilter } from "../filter.ts";
import { dropStart } from "../filter.ts";
import { blankLinesAtStart } from "../lines.ts";
import { firstStop } from "./stops.ts";

/** Marks around the reasoning that models write before the answer. */
const marks = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["[THINK]", "[/THINK]"],
] as const;

/**
 * A reasoning block at the start is not code: it goes, with the blank lines after it. Some servers
 * swallow the opening mark, so a closing mark alone on its line ends a block too.
 */
export const thinkingBlock: PostFilter = {
  name: "thinking-block",
  origin: "model",
  apply(candidate, context) {
    const { text } = candidate;
    for (const [open, close] of marks) {
      if (!text.includes(close) && !startsWithMark(text, open)) continue;
      if (context.scope.region === "string" || context.documentHolds(close)) continue;
      const end = endOfBlock(text, open, close, context);
      if (end === null) return { reason: "empty" };
      if (end === 0) continue;
      return dropStart(candidate, end + blankLinesAtStart(text.slice(end)));
    }
    return candidate;
  },
};

/** True when the text starts as a reasoning block does, whole or not. */
export function startsThinking(text: string): boolean {
  return marks.some(([open]) => startsWithMark(text, open));
}

/** True for a line that ends a reasoning block. */
export function closesThinking(line: string): boolean {
  return marks.some(([, close]) => line.includes(close));
}

/** True for a line that is the closing mark and nothing else. */
export function isEndOfThinking(line: string): boolean {
  return marks.some(([, close]) => line === close);
}

function startsWithMark(text: string, mark: string): boolean {
  return text.trimStart().startsWith(mark);
}

/** Offset after the block; 0 when there is none, `null` when it never ends. */
function endOfBlock(
  text: string,
  open: string,
  close: string,
  context: PostContext,
): number | null {
  const at = text.indexOf(close);
  if (startsWithMark(text, open)) return at < 0 ? null : at + close.length;
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const isAlone =
    text.slice(lineStart, at).trim() === "" && /^[ \t]*(\n|$)/.test(text.slice(at + close.length));
  return isAlone && at < firstStop(text, context.stops) ? at + close.length : 0;
}
