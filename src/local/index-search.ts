import type { LocalIndex } from "./local-index.ts";
import { CONTEXT_TOKENS } from "./sort-positions.ts";
import { HOLE } from "./vocabulary.ts";

/**
 * The ranges of an index that follow a context: those of L tokens are inside those of L - 1.
 * Reused from query to query; cost 5–30 µs for all lengths.
 */
export class ContextRanges {
  /** Range of length L is `positions[lows[L], highs[L])`; entry 0 is unused. */
  readonly lows: Int32Array = new Int32Array(CONTEXT_TOKENS + 1);
  readonly highs: Int32Array = new Int32Array(CONTEXT_TOKENS + 1);
  /** The longest L that occurs; 0 when the last token never does. */
  longest = 0;

  /** Finds the ranges of `context[0, end)`. */
  find(index: LocalIndex, context: Int32Array, end: number): void {
    this.longest = 0;
    if (end === 0) return;
    const { tokens, positions, buckets } = index;
    const last = context[end - 1] as number;
    if (last <= HOLE || last + 1 >= buckets.length) return;
    let low = buckets[last] as number;
    let high = buckets[last + 1] as number;
    if (low >= high) return;
    this.lows[1] = low;
    this.highs[1] = high;
    let length = 1;
    const limit = Math.min(CONTEXT_TOKENS, end);
    while (length < limit) {
      const back = length + 1;
      const wanted = context[end - back] as number;
      if (wanted <= HOLE) break;
      const lowest = tokens[(positions[low] as number) - back] as number;
      const highest = tokens[(positions[high - 1] as number) - back] as number;
      if (lowest > wanted || highest < wanted) break;
      if (lowest !== wanted) {
        let a = low;
        let b = high;
        while (a < b) {
          const middle = (a + b) >> 1;
          if ((tokens[(positions[middle] as number) - back] as number) < wanted) a = middle + 1;
          else b = middle;
        }
        low = a;
      }
      if (highest !== wanted) {
        let a = low;
        let b = high;
        while (a < b) {
          const middle = (a + b) >> 1;
          if ((tokens[(positions[middle] as number) - back] as number) <= wanted) a = middle + 1;
          else b = middle;
        }
        high = a;
      }
      if (low >= high) break;
      length = back;
      this.lows[length] = low;
      this.highs[length] = high;
    }
    this.longest = length;
  }
}

/** Ranges of the token stream whose files are out of date or open in an editor. */
export class TokenMask {
  /** Starts and ends in turn, ascending. */
  #borders = new Int32Array(0);

  /** Hides `[start, end)` ranges that do not overlap. */
  set(ranges: readonly (readonly [start: number, end: number])[]): void {
    this.#borders = Int32Array.from([...ranges].sort((a, b) => a[0] - b[0]).flat());
  }

  hides(position: number): boolean {
    const borders = this.#borders;
    let low = 0;
    let high = borders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((borders[middle] as number) <= position) low = middle + 1;
      else high = middle;
    }
    return (low & 1) === 1;
  }
}
