/**
 * The next token after a context: n-gram counts of the index, of files saved since and of the open
 * document, interpolated over context lengths with Witten–Bell weights (n / (n + distinct); Bell,
 * Cleary & Witten 1990). The open document counts four times, after Tu et al. (FSE 2014), who found
 * that code is local. Longest contexts first, so that short ones are skipped when little is left.
 */
import { Matches } from "./chained-tokens.ts";
import { ContextRanges } from "./index-search.ts";
import type { Sources } from "./sources.ts";

const ORDERS = [24, 16, 12, 8, 6, 5, 4, 3, 2, 1] as const;
const FILE_WEIGHT = 4;
const RECENT_WEIGHT = 2;
/** Occurrences looked at per order. */
const MAX_SAMPLES = 64;
/** Weight left to shorter contexts below which they are not looked at. */
const NEGLIGIBLE = 0.005;

const SLOTS = 4096;
/** Different tokens of one distribution; more are left out, so that the table has free slots. */
const MAX_TOKENS = 3072;

/** A distribution over next tokens, valid until the next `predict` of the same predictor. */
export class Predictor {
  readonly ranges: ContextRanges = new ContextRanges();
  readonly fileMatches: Matches = new Matches();
  readonly recentMatches: Matches = new Matches();
  /** Longest match in the open document. */
  longestInFile = 0;
  readonly #keys = new Int32Array(SLOTS);
  readonly #epochs = new Int32Array(SLOTS);
  readonly #scores = new Float64Array(SLOTS);
  readonly #counts = new Float64Array(SLOTS);
  readonly #orderStamps = new Int32Array(SLOTS);
  readonly #used = new Int32Array(SLOTS);
  readonly #touched = new Int32Array(SLOTS);
  #usedCount = 0;
  #touchedCount = 0;
  #epoch = 0;
  #orderStamp = 0;

  /** Number of different next tokens that have a chance. */
  get size(): number {
    return this.#usedCount;
  }

  /** Token `i` of the distribution, `i` below `size`. */
  token(i: number): number {
    return this.#keys[this.#used[i] as number] as number;
  }

  /** Its chance; they add up to 1, or to less when every context was new. */
  chance(i: number): number {
    return this.#scores[this.#used[i] as number] as number;
  }

  /** Chance of one token; 0 when it never followed. */
  chanceOf(token: number): number {
    for (let slot = hash(token); ; slot = (slot + 1) & (SLOTS - 1)) {
      if (this.#epochs[slot] !== this.#epoch) return 0;
      if (this.#keys[slot] === token) return this.#scores[slot] as number;
    }
  }

  /** Fills the distribution after `context[0, end)`. `samples` bounds the work per order. */
  predict(sources: Sources, context: Int32Array, end: number, samples: number = MAX_SAMPLES): void {
    this.ranges.find(sources.index, context, end);
    this.fileMatches.count = 0;
    sources.view.find(context, end, this.fileMatches);
    this.recentMatches.count = 0;
    sources.recent.find(context, end, this.recentMatches);
    this.longestInFile = longest(this.fileMatches);
    const longestInRecent = longest(this.recentMatches);
    const longestMatch = Math.max(this.ranges.longest, this.longestInFile, longestInRecent);
    this.#epoch++;
    this.#usedCount = 0;
    let left = 1;
    for (const order of ORDERS) {
      if (order > longestMatch) continue;
      this.#orderStamp++;
      this.#touchedCount = 0;
      let total = this.#countIndex(sources, order, samples);
      if (order <= this.longestInFile) {
        total += this.#countMatches(sources.view.tokens, this.fileMatches, order, FILE_WEIGHT);
      }
      if (order <= longestInRecent) {
        const { tokens } = sources.recent;
        total += this.#countMatches(tokens, this.recentMatches, order, RECENT_WEIGHT);
      }
      if (total === 0) continue;
      const distinct = this.#touchedCount;
      const trust = order === 1 ? 1 : total / (total + distinct * (order === 2 ? 1 : 0.7));
      const share = (left * trust) / total;
      for (let i = 0; i < distinct; i++) {
        const slot = this.#touched[i] as number;
        this.#scores[slot] =
          (this.#scores[slot] as number) + share * (this.#counts[slot] as number);
      }
      left *= 1 - trust;
      if (left < NEGLIGIBLE) break;
    }
  }

  #countIndex(sources: Sources, order: number, samples: number): number {
    if (order > this.ranges.longest) return 0;
    const { tokens, positions } = sources.index;
    const mask = sources.mask;
    const low = this.ranges.lows[order] as number;
    const high = this.ranges.highs[order] as number;
    const step = Math.max(1, (high - low) / samples);
    let total = 0;
    for (let at = low; at < high; at += step) {
      const position = positions[at | 0] as number;
      if (mask.hides(position)) continue;
      this.#count(tokens[position] as number, 1);
      total++;
    }
    return total;
  }

  #countMatches(tokens: Int32Array, matches: Matches, order: number, weight: number): number {
    let total = 0;
    for (let i = 0; i < matches.count; i++) {
      if ((matches.lengths[i] as number) < order) continue;
      this.#count(tokens[matches.positions[i] as number] as number, weight);
      total += weight;
    }
    return total;
  }

  #count(token: number, weight: number): void {
    let slot = hash(token);
    while (this.#epochs[slot] === this.#epoch && this.#keys[slot] !== token) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (this.#epochs[slot] !== this.#epoch) {
      if (this.#usedCount === MAX_TOKENS) return;
      this.#epochs[slot] = this.#epoch;
      this.#keys[slot] = token;
      this.#scores[slot] = 0;
      this.#used[this.#usedCount++] = slot;
    }
    if (this.#orderStamps[slot] !== this.#orderStamp) {
      this.#orderStamps[slot] = this.#orderStamp;
      this.#counts[slot] = 0;
      this.#touched[this.#touchedCount++] = slot;
    }
    this.#counts[slot] = (this.#counts[slot] as number) + weight;
  }
}

function longest(matches: Matches): number {
  let length = 0;
  for (let i = 0; i < matches.count; i++) length = Math.max(length, matches.lengths[i] as number);
  return length;
}

function hash(token: number): number {
  const mixed = Math.imul(token, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) & (SLOTS - 1);
}
