/**
 * Sorts the positions of a token stream by what stands before them, read backwards: all positions
 * that follow the same L tokens are then one range, for every L up to `CONTEXT_TOKENS`.
 * Counting sort on the previous token, then multikey quicksort (Bentley & Sedgewick, SODA 1997) on
 * the ones before it; the key of a round is gathered next to the positions, so that partitioning
 * reads memory in order. About 0.5 µs per token.
 */
import { SEPARATOR } from "./vocabulary.ts";

/** Positions that agree in this many previous tokens count as equal and are ordered by place. */
export const CONTEXT_TOKENS = 24;

const INSERTION_LIMIT = 20;

/**
 * Fills `positions` with 1..n-1 in order, and `buckets` so that the positions behind token t are
 * `positions[buckets[t], buckets[t + 1])`. `tokens[0]` is a separator; `buckets` has one entry more
 * than there are ids.
 */
export function sortPositions(
  tokens: Int32Array,
  positions: Int32Array,
  buckets: Int32Array,
): void {
  const ids = buckets.length - 1;
  buckets.fill(0);
  for (let at = 1; at < tokens.length; at++) {
    const slot = (tokens[at - 1] as number) + 1;
    buckets[slot] = (buckets[slot] as number) + 1;
  }
  for (let id = 0; id < ids; id++) {
    buckets[id + 1] = (buckets[id + 1] as number) + (buckets[id] as number);
  }
  const next = buckets.slice(0, ids);
  for (let at = 1; at < tokens.length; at++) {
    const id = tokens[at - 1] as number;
    const slot = next[id] as number;
    positions[slot] = at;
    next[id] = slot + 1;
  }
  const sorter = new Sorter(tokens, positions);
  // Behind a separator (id 0) there is nothing more to compare.
  for (let id = SEPARATOR + 1; id < ids; id++) {
    sorter.sort(buckets[id] as number, buckets[id + 1] as number, 2, false);
  }
}

class Sorter {
  readonly #tokens: Int32Array;
  readonly #positions: Int32Array;
  readonly #keys: Int32Array;

  constructor(tokens: Int32Array, positions: Int32Array) {
    this.#tokens = tokens;
    this.#positions = positions;
    this.#keys = new Int32Array(positions.length);
  }

  /** Sorts `[low, high)`, whose positions agree in the last `depth - 1` tokens. */
  sort(lowest: number, highest: number, startDepth: number, startHasKeys: boolean): void {
    const positions = this.#positions;
    const keys = this.#keys;
    let low = lowest;
    let high = highest;
    let depth = startDepth;
    let hasKeys = startHasKeys;
    while (high - low > 1) {
      if (high - low <= INSERTION_LIMIT) {
        this.#insertionSort(low, high, depth);
        return;
      }
      if (depth > CONTEXT_TOKENS) {
        positions.subarray(low, high).sort();
        return;
      }
      if (!hasKeys) this.#gather(low, high, depth);
      const pivot = this.#pivot(low, high);
      // Three parts: smaller keys in [low, less), equal ones in [less, more), greater in [more, high).
      let less = low;
      let more = high;
      for (let at = low; at < more; ) {
        const key = keys[at] as number;
        if (key === pivot) {
          at++;
          continue;
        }
        const other = key < pivot ? less++ : --more;
        const position = positions[at] as number;
        positions[at] = positions[other] as number;
        positions[other] = position;
        keys[at] = keys[other] as number;
        keys[other] = key;
        if (key < pivot) at++;
      }
      this.sort(low, less, depth, true);
      this.sort(more, high, depth, true);
      low = less;
      high = more;
      if (pivot === SEPARATOR) {
        positions.subarray(low, high).sort();
        return;
      }
      depth++;
      hasKeys = false;
    }
  }

  #gather(low: number, high: number, depth: number): void {
    const tokens = this.#tokens;
    const positions = this.#positions;
    const keys = this.#keys;
    for (let at = low; at < high; at++) {
      keys[at] = tokens[(positions[at] as number) - depth] as number;
    }
  }

  #pivot(low: number, high: number): number {
    const keys = this.#keys;
    const span = high - low;
    const middle = low + (span >> 1);
    if (span < 200) return median(keys, low, middle, high - 1);
    const step = span >> 3;
    const a = median(keys, low, low + step, low + 2 * step);
    const b = median(keys, middle - step, middle, middle + step);
    const c = median(keys, high - 1 - 2 * step, high - 1 - step, high - 1);
    return middleOf(a, b, c);
  }

  #insertionSort(low: number, high: number, depth: number): void {
    const positions = this.#positions;
    for (let at = low + 1; at < high; at++) {
      const position = positions[at] as number;
      let slot = at;
      while (slot > low && this.#isBefore(position, positions[slot - 1] as number, depth)) {
        positions[slot] = positions[slot - 1] as number;
        slot--;
      }
      positions[slot] = position;
    }
  }

  #isBefore(a: number, b: number, depth: number): boolean {
    const tokens = this.#tokens;
    for (let back = depth; back <= CONTEXT_TOKENS; back++) {
      const left = tokens[a - back] as number;
      const right = tokens[b - back] as number;
      if (left !== right) return left < right;
      if (left === SEPARATOR) break;
    }
    return a < b;
  }
}

function median(keys: Int32Array, i: number, j: number, k: number): number {
  return middleOf(keys[i] as number, keys[j] as number, keys[k] as number);
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
