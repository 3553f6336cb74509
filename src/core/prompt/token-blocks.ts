/**
 * Exact token counts for text that changes at one place: it is counted in blocks of some eight lines
 * whose borders depend on the lines themselves, so that an edit changes the block that it is in and
 * no other. A block whose count is known counts as such, the rest is estimated. Tokenizers rarely join
 * text over a line end, and where they do the sum is too high by one, which is the safe side.
 */
import type { TokenCounter } from "./tokens.ts";

/** One line of so many ends a block. */
const LINES_PER_BLOCK = 8;
/** Blocks of long lines end here: more is not sent to a tokenizer at a time. */
const MAX_BLOCK_UNITS = 4_096;
const LINE_FEED = 0x0a;

/** Cuts a text into blocks; joined they are the text. `[]` for `""`. Cost: O(length). */
export function tokenBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let start = 0;
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    hash = (Math.imul(hash, 31) + code) | 0;
    const isLineEnd = code === LINE_FEED;
    const endsBlock = isLineEnd && mixed(hash) % LINES_PER_BLOCK === 0;
    if (endsBlock || i + 1 - start >= MAX_BLOCK_UNITS) {
      const end = isHigh(code) && i > start ? i : i + 1;
      blocks.push(text.slice(start, end));
      start = end;
    }
    if (isLineEnd) hash = 0;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
}

/** Counts known blocks by `known` and what is between them by `estimate`. */
export function blockCounter(options: {
  readonly estimate: TokenCounter;
  /** `undefined` for a block that was never counted. */
  readonly known: (block: string) => number | undefined;
}): TokenCounter {
  const { estimate, known } = options;
  return {
    count(text) {
      let tokens = 0;
      let unknown = "";
      for (const block of tokenBlocks(text)) {
        const exact = known(block);
        if (exact === undefined) {
          unknown += block;
          continue;
        }
        if (unknown !== "") tokens += estimate.count(unknown);
        unknown = "";
        tokens += exact;
      }
      return unknown === "" ? tokens : tokens + estimate.count(unknown);
    },
  };
}

/** Similar lines have similar hashes: one round of murmur3's finalizer spreads them. */
function mixed(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (spread ^ (spread >>> 13)) >>> 0;
}

function isHigh(code: number): boolean {
  return 0xd800 <= code && code < 0xdc00;
}
