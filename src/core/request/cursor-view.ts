/**
 * What a request remembers of the document around its cursor: two bounded pieces of text and two
 * lengths. Enough to tell what was typed since, at a cost that does not depend on the document.
 */
import type { TextBuffer } from "../../base/text-buffer.ts";

/** At most this much is kept left and right of a cursor, in UTF-16 units. */
const VIEW_BEFORE = 4096;
const VIEW_AFTER = 1024;

/** A bounded view of a document from a cursor. */
export interface CursorView {
  /** The last units left of the cursor, at most 4,096. */
  readonly before: string;
  /** The first units right of the cursor, at most 1,024. */
  readonly after: string;
  /** Units left of the cursor in the whole document. */
  readonly beforeLength: number;
  /** Units right of the cursor in the whole document. */
  readonly afterLength: number;
}

/** What happened at the cursor between two views, and nothing else happened. */
export interface TypedSince {
  /** What stands now between the old cursor and the new one; `""` when it did not move. */
  readonly typed: string;
  /** What stands now between the new cursor and the text that was right of `covered` units then. */
  readonly between: string;
}

/** The view from an offset of a document. `RangeError` when it is out of range. */
export function viewAt(document: TextBuffer, offset: number): CursorView {
  return {
    before: document.slice(Math.max(0, offset - VIEW_BEFORE), offset),
    after: document.slice(offset, Math.min(document.length, offset + VIEW_AFTER)),
    beforeLength: offset,
    afterLength: document.length - offset,
  };
}

/**
 * What was typed since `then`, when `covered` units right of the cursor may have been used up.
 * `null` when the cursor went back beyond its old place, or when the document changed elsewhere as
 * far as the views can tell: edits out of their reach are noticed by the change of length.
 */
export function typedSince(then: CursorView, now: CursorView, covered: number): TypedSince | null {
  const typedLength = now.beforeLength - then.beforeLength;
  const betweenLength = now.afterLength - (then.afterLength - covered);
  if (typedLength < 0 || typedLength > now.before.length) return null;
  if (betweenLength < 0 || betweenLength > now.after.length) return null;
  const border = now.before.length - typedLength;
  if (!sameEnd(then.before, now.before.slice(0, border))) return null;
  if (!sameStart(then.after.slice(covered), now.after.slice(betweenLength))) return null;
  return { typed: now.before.slice(border), between: now.after.slice(0, betweenLength) };
}

/** One is the end of the other; not when only one of them is empty, which tells nothing. */
function sameEnd(a: string, b: string): boolean {
  if ((a === "") !== (b === "")) return false;
  const length = Math.min(a.length, b.length);
  return a.slice(a.length - length) === b.slice(b.length - length);
}

/** One is the start of the other; not when only one of them is empty, which tells nothing. */
function sameStart(a: string, b: string): boolean {
  if ((a === "") !== (b === "")) return false;
  const length = Math.min(a.length, b.length);
  return a.slice(0, length) === b.slice(0, length);
}
