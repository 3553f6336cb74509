/** Where two versions of a document differ, found by the blocks that they share. */
import { commonPrefixLength, commonSuffixLength } from "../base/text.ts";
import type { TextBlock, TextBuffer } from "../base/text-buffer.ts";

/** `[start, oldEnd)` of the older text is `[start, newEnd)` of the newer one. */
export interface BufferChange {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/**
 * One span that covers all differences; `null` when the texts are equal. It may split a surrogate
 * pair. Cost: one comparison per block, and the characters of the blocks that are not shared.
 */
export function bufferChange(before: TextBuffer, after: TextBuffer): BufferChange | null {
  if (before === after) return null;
  const old = before.blocks;
  const now = after.blocks;
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && isSame(old[head], now[head])) head++;
  let tail = 0;
  while (tail < most - head && isSame(old[old.length - 1 - tail], now[now.length - 1 - tail])) {
    tail++;
  }
  const oldText = textOf(old, head, tail);
  const newText = textOf(now, head, tail);
  const same = commonPrefixLength(oldText, newText);
  if (same === oldText.length && same === newText.length) return null;
  const rest = Math.min(oldText.length, newText.length) - same;
  const end = Math.min(rest, commonSuffixLength(oldText, newText));
  const base = before.blockOffset(head);
  return {
    start: base + same,
    oldEnd: base + oldText.length - end,
    newEnd: base + newText.length - end,
  };
}

function isSame(a: TextBlock | undefined, b: TextBlock | undefined): boolean {
  return a === b || a?.text === b?.text;
}

function textOf(blocks: readonly TextBlock[], head: number, tail: number): string {
  return blocks
    .slice(head, blocks.length - tail)
    .map((block) => block.text)
    .join("");
}
