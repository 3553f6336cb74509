/** How a file indents, read off the lines around the cursor. */
import { indentOf } from "../../base/text.ts";
import { indentWidthAt } from "../scope/indentation.ts";

/** One step of indentation. */
export interface IndentUnit {
  readonly text: string;
  /** Columns; a tab counts as `indentWidthAt` counts it. */
  readonly width: number;
  readonly isTab: boolean;
}

/** Lines looked at on each side of the cursor. */
const MAX_LINES = 120;
const MAX_STEP = 8;

/**
 * The most frequent step between neighbouring lines, or the tab where more lines start with one.
 * `fallback` (the language's habit) where no line near the cursor is indented. Cost: the lines read.
 */
export function indentUnitOf(prefix: string, suffix: string, fallback: string): IndentUnit {
  const indents = [...indentsAbove(prefix), ...indentsBelow(suffix)];
  let tabs = 0;
  let spaces = 0;
  const steps = new Array<number>(MAX_STEP + 1).fill(0);
  let last = 0;
  for (const indent of indents) {
    if (indent.startsWith("\t")) tabs++;
    else if (indent.length > 0) spaces++;
    const width = indentWidthAt(indent);
    const step = Math.abs(width - last);
    // A single column is the " *" of a comment, not a step.
    if (2 <= step && step <= MAX_STEP && !indent.includes("\t"))
      steps[step] = (steps[step] ?? 0) + 1;
    last = width;
  }
  if (tabs > spaces) return unit("\t");
  let best = 0;
  for (let step = 1; step <= MAX_STEP; step++) {
    if ((steps[step] ?? 0) > (steps[best] ?? 0)) best = step;
  }
  return best > 0 ? unit(" ".repeat(best)) : unit(fallback);
}

function unit(text: string): IndentUnit {
  return { text, width: indentWidthAt(text), isTab: text === "\t" };
}

/** Indentation of the lines above, farthest first; the cursor's own line counts though it is blank. */
function indentsAbove(prefix: string): string[] {
  const indents: string[] = [];
  let end = prefix.length;
  for (let i = 0; i < MAX_LINES && end >= 0; i++) {
    const start = end === 0 ? 0 : prefix.lastIndexOf("\n", end - 1) + 1;
    const line = prefix.slice(start, end);
    if (i === 0 || line.trim() !== "") indents.push(indentOf(line));
    end = start === 0 ? -1 : start - 1;
  }
  return indents.reverse();
}

function indentsBelow(suffix: string): string[] {
  const indents: string[] = [];
  let at = suffix.indexOf("\n");
  for (let i = 0; i < MAX_LINES && at >= 0; i++) {
    const next = suffix.indexOf("\n", at + 1);
    const line = suffix.slice(at + 1, next < 0 ? suffix.length : next);
    if (line.trim() !== "") indents.push(indentOf(line));
    at = next;
  }
  return indents;
}
