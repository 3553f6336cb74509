/**
 * A token stream with an index that is cheap to make and to extend: chains through the positions
 * that follow the same token, and through those that follow the same two. The current file and the
 * files saved since the index was built are searched with it. Walking a chain meets the positions
 * linked last first.
 */
import { CONTEXT_TOKENS } from "./sort-positions.ts";
import { HOLE, SEPARATOR } from "./vocabulary.ts";

/** Places where the last tokens of a context occurred. */
export class Matches {
  /** Place behind the matching tokens. */
  readonly positions: Int32Array = new Int32Array(1024);
  /** How many tokens match. */
  readonly lengths: Int32Array = new Int32Array(1024);
  count = 0;

  add(position: number, length: number): void {
    if (this.count === this.positions.length) return;
    this.positions[this.count] = position;
    this.lengths[this.count++] = length;
  }

  /** Removes those from index `first` on that lie in `[start, end)`. */
  removeBetween(first: number, start: number, end: number): void {
    let kept = first;
    for (let i = first; i < this.count; i++) {
      const position = this.positions[i] as number;
      if (start <= position && position < end) continue;
      this.positions[kept] = position;
      this.lengths[kept++] = this.lengths[i] as number;
    }
    this.count = kept;
  }
}

export class TokenChains {
  readonly #singleHeads: Int32Array;
  readonly #pairHeads: Int32Array;
  #singleNext: Int32Array;
  #pairNext: Int32Array;

  /** `slots`: a power of two. */
  constructor(slots: number) {
    this.#singleHeads = new Int32Array(slots);
    this.#pairHeads = new Int32Array(slots);
    this.#singleNext = new Int32Array(1024);
    this.#pairNext = new Int32Array(1024);
  }

  /** Forgets all positions. */
  clear(): void {
    this.#singleHeads.fill(0);
    this.#pairHeads.fill(0);
  }

  /** Makes room for positions below `length`. */
  reserve(length: number): void {
    if (length <= this.#singleNext.length) return;
    const size = Math.max(length, this.#singleNext.length * 2);
    this.#singleNext = grown(this.#singleNext, size);
    this.#pairNext = grown(this.#pairNext, size);
  }

  /** Links position `at`, which is at least 2 and below the reserved length. */
  link(tokens: Int32Array, at: number): void {
    const last = tokens[at - 1] as number;
    if (last <= HOLE) return;
    const mask = this.#singleHeads.length - 1;
    const single = hashSingle(last) & mask;
    this.#singleNext[at] = this.#singleHeads[single] as number;
    this.#singleHeads[single] = at;
    const before = tokens[at - 2] as number;
    const pair = hashPair(before, last) & mask;
    this.#pairNext[at] = this.#pairHeads[pair] as number;
    this.#pairHeads[pair] = at;
  }

  /** True when a position behind `token` is linked. */
  has(tokens: Int32Array, token: number): boolean {
    const mask = this.#singleHeads.length - 1;
    let at = this.#singleHeads[hashSingle(token) & mask] as number;
    while (at !== 0 && tokens[at - 1] !== token) at = this.#singleNext[at] as number;
    return at !== 0;
  }

  /**
   * Adds to `matches` the places that follow the last two or more tokens of `context[0, end)`, at
   * most `maxPairs` steps far, and then those that follow just the last one, at most `maxSingles`.
   */
  find(
    tokens: Int32Array,
    context: Int32Array,
    end: number,
    limits: { readonly maxPairs: number; readonly maxSingles: number },
    matches: Matches,
  ): void {
    const last = context[end - 1] as number;
    if (last <= HOLE) return;
    const before = end > 1 ? (context[end - 2] as number) : SEPARATOR;
    const mask = this.#singleHeads.length - 1;
    if (before > HOLE) {
      let at = this.#pairHeads[hashPair(before, last) & mask] as number;
      for (let step = 0; at !== 0 && step < limits.maxPairs; step++) {
        if (tokens[at - 1] === last && tokens[at - 2] === before && tokens[at] !== HOLE) {
          matches.add(at, matchLength(tokens, at, context, end, 2));
        }
        at = this.#pairNext[at] as number;
      }
    }
    let at = this.#singleHeads[hashSingle(last) & mask] as number;
    for (let step = 0; at !== 0 && step < limits.maxSingles; step++) {
      if (tokens[at - 1] === last && tokens[at - 2] !== before && tokens[at] !== HOLE) {
        matches.add(at, 1);
      }
      at = this.#singleNext[at] as number;
    }
  }
}

/** Number of tokens before `at` that equal the end of the context; the first `known` of them do. */
function matchLength(
  tokens: Int32Array,
  at: number,
  context: Int32Array,
  end: number,
  known: number,
): number {
  const limit = Math.min(CONTEXT_TOKENS, end, at);
  let length = known;
  while (length < limit) {
    const token = tokens[at - 1 - length] as number;
    if (token !== context[end - 1 - length] || token <= HOLE) break;
    length++;
  }
  return length;
}

function hashSingle(token: number): number {
  const hash = Math.imul(token, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function hashPair(before: number, last: number): number {
  const hash = Math.imul(Math.imul(before, 0x85ebca6b) ^ last, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function grown(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
