/**
 * The one span in which two versions of a text differ, for callers that send the whole text with each
 * request instead of their edits. Equal stretches are compared block by block as memory, without
 * joining prefix and suffix: about 20 µs for 400 KB on one core.
 */
import { commonPrefixLength, commonSuffixLength, splitsPair } from "./text.ts";
import type { TextBlock, TextBuffer, TextEdit } from "./text-buffer.ts";

/**
 * The shortest single edit that turns `before` into `prefix + suffix`; `null` when nothing changed.
 * Never splits a surrogate pair of either text.
 */
export function minimalEdit(before: TextBuffer, prefix: string, suffix: string): TextEdit | null {
  const after = new JoinedText(prefix, suffix);
  let start = commonStart(before, after);
  if (start === before.length && start === after.length) return null;
  if (isInsideCharacter(after, start)) start--;
  let tail = commonEnd(before, after, start);
  const isTornApart =
    isInsideCharacter(before, before.length - tail) ||
    isInsideCharacter(after, after.length - tail);
  if (isTornApart) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Two texts read as one without joining them. */
class JoinedText {
  readonly length: number;
  readonly #prefix: string;
  readonly #suffix: string;

  constructor(prefix: string, suffix: string) {
    this.length = prefix.length + suffix.length;
    this.#prefix = prefix;
    this.#suffix = suffix;
  }

  slice(start: number, end: number): string {
    const border = this.#prefix.length;
    if (end <= border) return this.#prefix.slice(start, end);
    if (border <= start) return this.#suffix.slice(start - border, end - border);
    return this.#prefix.slice(start) + this.#suffix.slice(0, end - border);
  }
}

function commonStart(before: TextBuffer, after: JoinedText): number {
  let offset = 0;
  for (const { text } of before.blocks) {
    const other = after.slice(offset, offset + text.length);
    if (other !== text) return offset + commonPrefixLength(text, other);
    offset += text.length;
  }
  return offset;
}

/** Length of the common end that overlaps `[0, start)` in neither text. */
function commonEnd(before: TextBuffer, after: JoinedText, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let length = 0;
  for (let i = before.blocks.length - 1; i >= 0 && length < most; i--) {
    const { text } = before.blocks[i] as TextBlock;
    const part = text.slice(Math.max(0, text.length - (most - length)));
    const other = after.slice(after.length - length - part.length, after.length - length);
    if (other !== part) return length + commonSuffixLength(part, other);
    length += part.length;
  }
  return length;
}

/** True when a surrogate pair stands around the offset. */
function isInsideCharacter(text: TextBuffer | JoinedText, offset: number): boolean {
  const around = text.slice(Math.max(0, offset - 1), Math.min(text.length, offset + 1));
  return splitsPair(around, 1);
}
