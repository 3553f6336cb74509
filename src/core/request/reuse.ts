/**
 * Type-through: what is left of an older answer after the person went on typing.
 *
 * An answer means one document: the one after its accept. Whatever was typed, deleted and typed again,
 * taken over word by word, or put in by the editor (closing brackets, indentation), the answer still
 * fits if some edit at the cursor leads to that same document. So no history of edits is kept: two
 * views of the document are compared, and the rest of the answer follows from them.
 * Cost: two comparisons of at most 4 KB per remembered answer, whatever the document's length.
 */
import { commonPrefixLength, indentOf, isBlank } from "../../base/text.ts";
import { isSubsequence } from "../cursor-edit.ts";
import type { CursorEdit } from "../types.ts";
import { type CursorView, typedSince } from "./cursor-view.ts";

/** An answer and the view for which it was made; `answer` is what the caller knows about it. */
export interface RememberedAnswer<T> {
  readonly view: CursorView;
  readonly edit: CursorEdit;
  readonly answer: T;
}

/** The answers of one document, newest first. */
export type AnswerRing<T> = readonly RememberedAnswer<T>[];

/** How many answers of a document are remembered: a line or two of typing with one at each key. */
const RING_SIZE = 32;

/** The ring with one more answer, in front; the oldest goes when it is full. */
export function remember<T>(ring: AnswerRing<T>, entry: RememberedAnswer<T>): AnswerRing<T> {
  return [entry, ...ring.filter((old) => !isSameAnswer(old, entry))].slice(0, RING_SIZE);
}

/**
 * The newest answer that still fits, and the edit that is left of it; `null` when none does.
 * Under 1 ms: it runs on each key press.
 */
export function recall<T>(
  ring: AnswerRing<T>,
  now: CursorView,
): { readonly answer: T; readonly edit: CursorEdit } | null {
  for (const { view, edit, answer } of ring) {
    const rest = remainingEdit(view, edit, now);
    if (rest !== null) return { answer, edit: rest };
  }
  return null;
}

/**
 * The edit at the cursor of `now` that leads to the same document as `edit` at the cursor of `then`;
 * `null` when there is none, when nothing visible is left to insert, or when the cursor is left of
 * where the answer was made. Line ends compare equal whether `\n` or `\r\n`.
 */
export function remainingEdit(
  then: CursorView,
  edit: CursorEdit,
  now: CursorView,
): CursorEdit | null {
  const since = typedSince(then, now, edit.replaceAfter);
  if (since === null) return null;
  const whole = withLineFeeds(edit.text);
  const replaced = then.before.slice(then.before.length - edit.replaceBefore);
  const left = matchTyped(whole, replaced, withLineFeeds(since.typed));
  if (left === null) return null;

  // An editor that opens a block puts its closer on a line of its own: that line is there already.
  const between = withLineFeeds(since.between);
  const lineEnd = between.indexOf("\n");
  const sameLine = lineEnd < 0 ? between : between.slice(0, lineEnd);
  const linesBelow = between.slice(sameLine.length);
  const end = whole.length - linesBelow.length;
  if (end < left.matched || !whole.endsWith(linesBelow)) return null;
  if (!isSubsequence(sameLine, whole.slice(left.matched, end))) return null;

  const text = whole.slice(left.start, end);
  if (isBlank(text) || text === left.removed + sameLine) return null;
  return {
    text: edit.text === whole ? text : text.replaceAll("\n", "\r\n"),
    replaceBefore: left.removed.length,
    replaceAfter: sameLine.length,
  };
}

/**
 * True while a text that is still being written may turn out to continue what was typed since it was
 * asked for: what there is of it agrees, and the editor added nothing but closers.
 */
export function mayStillFit(then: CursorView, partial: string, now: CursorView): boolean {
  const since = typedSince(then, now, 0);
  if (since === null || !/^[)\]}>"'`;\s]*$/.test(since.between)) return false;
  const typed = withLineFeeds(since.typed);
  const text = withLineFeeds(partial);
  return typed.startsWith(text) || matchTyped(text, "", typed) !== null;
}

/** How the text left of the cursor meets the answer. */
interface LeftMatch {
  /** Where in the answer the remaining text starts. */
  readonly start: number;
  /** What the remaining text replaces left of the cursor. No line break in it. */
  readonly removed: string;
  /** Up to where in the answer its text is accounted for by what stands left of the cursor. */
  readonly matched: number;
}

/** Matches what the answer replaces plus what was typed with the answer's text. */
function matchTyped(text: string, replaced: string, typed: string): LeftMatch | null {
  const stands = replaced + typed;
  const start = commonPrefixLength(text, stands);
  if (start === stands.length) return { start, removed: "", matched: start };

  // After a typed line end the editor indents by its own rule; the answer's indentation wins.
  const line = stands.lastIndexOf("\n") + 1;
  const indented = line + indentOf(stands.slice(line)).length;
  const wanted = line + indentOf(text.slice(line)).length;
  const differsInIndentation = 0 < line && line <= start && start <= Math.min(indented, wanted);
  if (differsInIndentation && text.startsWith(stands.slice(indented), wanted)) {
    const matched = wanted + stands.length - indented;
    return { start, removed: stands.slice(start), matched };
  }

  // The answer replaces text left of the cursor (indentation, most often) that still stands there.
  const removed = stands.slice(start);
  const anchor = endOfReplaced(text, replaced);
  if (replaced === "" || anchor === null || removed.includes("\n")) return null;
  return text.startsWith(typed, anchor) ? { start, removed, matched: anchor + typed.length } : null;
}

/** Where the answer's text has taken up all of what it replaces; `null` when it never does. */
function endOfReplaced(text: string, replaced: string): number | null {
  let at = 0;
  for (const unit of replaced.replace(/\s/g, "")) {
    const found = text.indexOf(unit, at);
    if (found < 0) return null;
    at = found + unit.length;
  }
  return /\s$/.test(replaced) ? at + indentOf(text.slice(at)).length : at;
}

function withLineFeeds(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

function isSameAnswer<T>(a: RememberedAnswer<T>, b: RememberedAnswer<T>): boolean {
  return (
    a.edit.text === b.edit.text &&
    a.edit.replaceBefore === b.edit.replaceBefore &&
    a.edit.replaceAfter === b.edit.replaceAfter &&
    a.view.beforeLength === b.view.beforeLength &&
    a.view.afterLength === b.view.afterLength &&
    a.view.before === b.view.before &&
    a.view.after === b.view.after
  );
}
