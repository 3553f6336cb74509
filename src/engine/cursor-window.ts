/**
 * The bounded text around a cursor that policy, scope, filters and reuse look at. Cost: O(window).
 */
import { isHighSurrogate, isLowSurrogate } from "../base/text.ts";
import type { TextBuffer } from "../base/text-buffer.ts";
import type { CursorWindow } from "../core/index.ts";
import type { DocumentView } from "./documents.ts";

/** Enough for 2,000 tokens of prefix at 4 characters each; filters need less. */
const MAX_PREFIX_CHARS = 8_192;
const MAX_SUFFIX_CHARS = 4_096;

/**
 * Cuts the window at line borders. Inside a line longer than the limit it cuts the line, never a
 * surrogate pair. `linesAbove` counts the lines above the first line that is shown.
 */
export function cursorWindow(view: DocumentView): CursorWindow {
  const { buffer, offset } = view;
  const start = prefixStart(buffer, offset);
  const end = suffixEnd(buffer, offset);
  return {
    path: view.path,
    languageId: view.languageId,
    prefix: buffer.slice(start, offset),
    suffix: buffer.slice(offset, end),
    linesAbove: buffer.positionAt(start).line,
    reachesEnd: end === buffer.length,
  };
}

function prefixStart(buffer: TextBuffer, offset: number): number {
  const limit = offset - MAX_PREFIX_CHARS;
  if (limit <= 0) return 0;
  const { line } = buffer.positionAt(limit);
  const next = line + 1 < buffer.lineCount ? buffer.lineStart(line + 1) : buffer.length;
  if (next <= offset) return next;
  return isInsidePair(buffer, limit) ? limit + 1 : limit;
}

function suffixEnd(buffer: TextBuffer, offset: number): number {
  const limit = offset + MAX_SUFFIX_CHARS;
  if (limit >= buffer.length) return buffer.length;
  const start = buffer.lineStart(buffer.positionAt(limit).line);
  if (start > offset) return start;
  return isInsidePair(buffer, limit) ? limit - 1 : limit;
}

function isInsidePair(buffer: TextBuffer, offset: number): boolean {
  if (offset <= 0 || offset >= buffer.length) return false;
  const around = buffer.slice(offset - 1, offset + 1);
  return isHighSurrogate(around.charCodeAt(0)) && isLowSurrogate(around.charCodeAt(1));
}
