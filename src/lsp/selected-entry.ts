/**
 * The entry that an open suggestion list has selected. The completion goes on after it, and its text
 * begins with it: editors hide what does not.
 */
import type { TextBuffer } from "../base/text-buffer.ts";
import { isSubsequence } from "../core/index.ts";
import type { InlineQuestion } from "./params.ts";
import { offsetOfPosition, type PositionEncoding } from "./position.ts";
import type { TextDocument } from "./text-document.ts";

export interface SelectedEntry {
  readonly text: string;
  /** Units before the cursor that it replaces. */
  readonly replaceBefore: number;
}

/**
 * The entry where a completion can go on after it: it ends at the cursor, on its line, and keeps what
 * was typed. `null` otherwise, and when no list is open.
 */
export function selectedEntry(
  document: TextDocument,
  question: InlineQuestion,
  encoding: PositionEncoding,
): SelectedEntry | null {
  const { selected, position } = question;
  if (selected === null) return null;
  const { start, end } = selected.range;
  if (start.line !== position.line || end.line !== position.line) return null;
  const { buffer } = document;
  const from = offsetOfPosition(buffer, start, encoding);
  const offset = offsetOfPosition(buffer, position, encoding);
  if (offset < from || offsetOfPosition(buffer, end, encoding) !== offset) return null;
  const { text } = selected;
  const keepsTyped = isSubsequence(buffer.slice(from, offset).toLowerCase(), text.toLowerCase());
  return keepsTyped && !text.includes("\n") ? { text, replaceBefore: offset - from } : null;
}

/** The text around the cursor as if the entry had been taken. O(length): only while a list is open. */
export function withSelectedEntry(
  buffer: TextBuffer,
  offset: number,
  entry: SelectedEntry,
): { readonly prefix: string; readonly suffix: string } {
  return {
    prefix: buffer.slice(0, offset - entry.replaceBefore) + entry.text,
    suffix: buffer.slice(offset, buffer.length),
  };
}
