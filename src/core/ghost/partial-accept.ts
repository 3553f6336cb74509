/**
 * Accepting a proposal piece by piece. What is replaced right of the cursor goes in step with the
 * text that holds it again, so the document is whole after every piece.
 * Invariant: accepting all pieces in turn gives the document that accepting at once gives.
 */
import { isHighSurrogate, isWordCode } from "../../base/text.ts";
import type { AroundCursor } from "../cursor-edit.ts";
import type { CursorEdit } from "../types.ts";

/** A proposal in two: what is applied now, and what is left to show after it. */
export interface PartialAccept {
  readonly now: CursorEdit;
  /** `null` when nothing is left. Its numbers count from the cursor after `now`. */
  readonly rest: CursorEdit | null;
}

/** Accepts the blanks and line ends at the start and the word, or the run of marks, after them. */
export function acceptWord(edit: CursorEdit, around: AroundCursor): PartialAccept {
  return acceptPiece(edit, around, wordEnd(edit.text));
}

/** Accepts up to the end of the line; a line end at the start comes with the line after it. */
export function acceptLine(edit: CursorEdit, around: AroundCursor): PartialAccept {
  const start = edit.text.length - edit.text.trimStart().length;
  const lineEnd = edit.text.indexOf("\n", start);
  if (lineEnd < 0) return acceptPiece(edit, around, edit.text.length);
  return acceptPiece(edit, around, edit.text[lineEnd - 1] === "\r" ? lineEnd - 1 : lineEnd);
}

function acceptPiece(edit: CursorEdit, around: AroundCursor, wanted: number): PartialAccept {
  const { text, replaceBefore, replaceAfter } = edit;
  const kept = around.prefix.length - replaceBefore;
  // What a person typed left of the cursor comes back with the first piece, whole.
  const end = Math.max(wanted, endOfRepeated(around.prefix.slice(kept), text));
  if (end >= text.length) return { now: edit, rest: null };
  const replaced = replacedWith(around.suffix.slice(0, replaceAfter), text, end);
  return {
    now: { text: text.slice(0, end), replaceBefore, replaceAfter: replaced },
    rest: { text: text.slice(end), replaceBefore: 0, replaceAfter: replaceAfter - replaced },
  };
}

/** Offset in `text` after the last unit that repeats a non-blank one of `removed`; 0 for none. */
function endOfRepeated(removed: string, text: string): number {
  let end = 0;
  for (const unit of removed) {
    if (unit.trim() === "") continue;
    const at = text.indexOf(unit, end);
    if (at >= 0) end = at + unit.length;
  }
  return end;
}

/**
 * How many units of `removed` go with the first `end` units of `text`: each goes with its last
 * possible place in the text, so that what is right of the cursor stays as long as it can.
 */
function replacedWith(removed: string, text: string, end: number): number {
  let at = text.length;
  let replaced = removed.length;
  while (replaced > 0) {
    at = at === 0 ? -1 : text.lastIndexOf(removed.charAt(replaced - 1), at - 1);
    if (at < end) break;
    replaced--;
  }
  return replaced;
}

function wordEnd(text: string): number {
  let end = text.length - text.trimStart().length;
  if (end >= text.length) return text.length;
  const isWord = isWordCode(text.charCodeAt(end));
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (isWordCode(code) !== isWord || text.charAt(end).trim() === "") break;
    end += isHighSurrogate(code) ? 2 : 1;
  }
  return end;
}
