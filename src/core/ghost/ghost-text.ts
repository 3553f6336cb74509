/**
 * What to draw for a proposal, and where: nothing that stands in the document moves or vanishes.
 * `log("█")` with `ready");` for `")`: `log("├ready┤")├;┤`.
 */
import { indentOf } from "../../base/text.ts";
import type { AroundCursor } from "../cursor-edit.ts";
import type { CursorEdit } from "../types.ts";

/** Ghost text inside the cursor's line. */
export interface GhostPart {
  /** Column in the line, in UTF-16 units from 0. */
  readonly column: number;
  readonly text: string;
}

/** A proposal as it is drawn. */
export interface GhostText {
  /** Parts of the cursor's line, left to right. */
  readonly parts: readonly GhostPart[];
  /** Whole lines under it, without line ends. */
  readonly below: readonly string[];
  /** End of the cursor's line that is hidden there, because the lines below hold it; `""` for none. */
  readonly movedTail: string;
}

/** The drawing of an edit. Nothing is drawn when accepting would change nothing. */
export function ghostText(edit: CursorEdit, around: AroundCursor): GhostText {
  const head = around.prefix.slice(around.prefix.lastIndexOf("\n") + 1);
  const lineEnd = around.suffix.search(/\r?\n/);
  const tail = lineEnd < 0 ? around.suffix : around.suffix.slice(0, lineEnd);
  const removedBefore = head.slice(head.length - edit.replaceBefore);
  const removed = removedBefore + tail.slice(0, edit.replaceAfter);
  const start = head.length - edit.replaceBefore;
  // Indentation that changes is not drawn: editors cannot draw a removal.
  const text =
    removedBefore.trim() === ""
      ? removedBefore + edit.text.slice(removedBefore === "" ? 0 : indentOf(edit.text).length)
      : edit.text;
  const [first = "", ...below] = text.split(/\r?\n/);
  if (below.length === 0) return { parts: partsOf(first, removed, start), below, movedTail: "" };
  const rest = tail.slice(edit.replaceAfter);
  const shared = longestStart(removed, first);
  const last = below.length - 1;
  return {
    parts: partsOf(first, removed.slice(0, shared), start),
    below: below.map((line, i) => (i === last ? line + rest : line)),
    movedTail: removed.slice(shared) + rest,
  };
}

/** The pieces of `text` between the characters of `removed`, each found as early as it can be. */
function partsOf(text: string, removed: string, start: number): readonly GhostPart[] {
  const parts: GhostPart[] = [];
  let at = 0;
  let column = start;
  for (const char of removed) {
    const found = text.indexOf(char, at);
    if (found < 0) break;
    if (found > at) parts.push({ column, text: text.slice(at, found) });
    at = found + char.length;
    column += char.length;
  }
  if (at < text.length) parts.push({ column: start + removed.length, text: text.slice(at) });
  return parts;
}

/** Length of the longest start of `removed` whose characters occur in `text` in order. */
function longestStart(removed: string, text: string): number {
  let at = 0;
  let length = 0;
  for (const char of removed) {
    const found = text.indexOf(char, at);
    if (found < 0) break;
    at = found + char.length;
    length += char.length;
  }
  return length;
}
