/**
 * How much of an accepted text is still there. It is looked for near the place where it was put in,
 * first within 50 units, then within 1,500, by the cheapest alignment of the whole text with any
 * stretch of the window (Sellers 1980). It counts as present while at most half of its words and marks
 * have changed: the rule that Copilot's extension uses. Cost: text times window, so the text is cut
 * at 1,000 units; a millisecond near the place, some ten far from it.
 */
import type { TextBuffer } from "../base/text-buffer.ts";

/** What was accepted, and where it should be. */
export interface AcceptedText {
  readonly text: string;
  /** Offset at which it was put in, moved along with the edits since. */
  readonly anchor: number;
}

/** What is left. Shares of what changed, 0..1; both are 1 where it is not present. */
export interface Retention {
  readonly charDiff: number;
  readonly lexDiff: number;
  readonly present: boolean;
}

const NEAR_UNITS = 50;
const FAR_UNITS = 1_500;
const MAX_UNITS = 1_000;
const MOST_CHANGED_SHARE = 0.5;
const gone: Retention = { charDiff: 1, lexDiff: 1, present: false };

/** Looks what is left of a text in a document. Any document and any anchor will do. */
export function retentionOf(document: TextBuffer, accepted: AcceptedText): Retention {
  const text = withLineFeeds(accepted.text).slice(0, MAX_UNITS);
  const words = wordsOf(text);
  if (words.length === 0) return gone;
  for (const reach of [NEAR_UNITS, FAR_UNITS]) {
    const start = clamp(accepted.anchor - reach, document.length);
    const end = clamp(accepted.anchor + accepted.text.length + reach, document.length);
    const around = withLineFeeds(document.slice(start, Math.max(start, end)));
    const lexDiff = bestAlignment(words, wordsOf(around)) / words.length;
    if (lexDiff > MOST_CHANGED_SHARE) continue;
    const charDiff = bestAlignment(text.split(""), around.split("")) / text.length;
    return { charDiff: rounded(charDiff), lexDiff: rounded(lexDiff), present: true };
  }
  return gone;
}

/** Where an offset lies after an edit; text that is put in exactly there comes to its right. */
export function movedOffset(
  offset: number,
  edit: { readonly start: number; readonly end: number; readonly text: string },
): number {
  const { start, end, text } = edit;
  if (end < offset) return offset + text.length - (end - start);
  return start < offset ? Math.min(offset, start + text.length) : offset;
}

/** Fewest insertions, deletions and replacements that make the pattern a stretch of the text. */
function bestAlignment(pattern: readonly string[], text: readonly string[]): number {
  // Row by row over the pattern; the first row is free, and so is the end.
  let above = new Uint16Array(text.length + 1);
  let row = new Uint16Array(text.length + 1);
  for (let i = 1; i <= pattern.length; i++) {
    const unit = pattern[i - 1];
    row[0] = i;
    for (let j = 1; j <= text.length; j++) {
      const replaced = (above[j - 1] as number) + (text[j - 1] === unit ? 0 : 1);
      const removed = (above[j] as number) + 1;
      const added = (row[j - 1] as number) + 1;
      row[j] = Math.min(replaced, removed, added);
    }
    [above, row] = [row, above];
  }
  return above.reduce((least, cost) => Math.min(least, cost), pattern.length);
}

/** Identifiers and numbers, and each mark by itself; blanks do not count. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

function clamp(offset: number, length: number): number {
  return Math.max(0, Math.min(length, offset));
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
