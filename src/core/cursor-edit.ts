/** What an accepted completion does to a document, and the law that it loses nothing a person typed. */
import type { CursorEdit } from "./types.ts";

/** The text around a cursor, whole or a window of it. */
export interface AroundCursor {
  readonly prefix: string;
  readonly suffix: string;
}

/** The document after an accept. */
export function applyEdit(around: AroundCursor, edit: CursorEdit): string {
  const kept = around.prefix.length - edit.replaceBefore;
  return around.prefix.slice(0, kept) + edit.text + around.suffix.slice(edit.replaceAfter);
}

/**
 * Which part of the law an edit breaks, in words for a person; `null` when it is lawful:
 * neither number crosses a line break, and every removed unit right of the cursor, and every removed
 * non-blank one left of it, recurs in the text in order.
 */
export function brokenLaw(around: AroundCursor, edit: CursorEdit): string | null {
  const kept = around.prefix.length - edit.replaceBefore;
  if (edit.replaceBefore < 0 || kept < 0) return "replaceBefore is out of range";
  if (edit.replaceAfter < 0 || edit.replaceAfter > around.suffix.length) {
    return "replaceAfter is out of range";
  }
  const before = around.prefix.slice(kept);
  const after = around.suffix.slice(0, edit.replaceAfter);
  if (before.includes("\n") || after.includes("\n")) return "the edit crosses a line break";
  if (!isSubsequence(before.replace(/\s/g, "") + after, edit.text)) {
    return "text that stands beside the cursor would be lost";
  }
  return null;
}

/** True when all units of `needle` occur in `text` in order, not necessarily side by side. */
export function isSubsequence(needle: string, text: string): boolean {
  let at = 0;
  for (let i = 0; i < needle.length; i++) {
    at = text.indexOf(needle.charAt(i), at) + 1;
    if (at === 0) return false;
  }
  return true;
}
