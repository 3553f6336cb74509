/**
 * Drafts for speculative decoding, from texts that are known already: answers that somebody else
 * proposes, and the prompt itself, since an edit repeats what stands nearby. An answer that agrees with
 * all that was generated goes first. Otherwise the longest end of "text before the cursor, then what
 * was generated" that occurs elsewhere is looked up (prompt lookup, Saxena 2023), and what follows
 * there is the draft, at most as long as the match (suffix decoding, arXiv 2411.04975). Cost of one
 * draft: a scan over all tokens that stops at the first difference, some 10 µs for a prompt of 4,000.
 */

/** What drafts are taken from. Tokens of the model throughout. */
export interface DraftTexts {
  /** The prompt up to the cursor: the generated tokens continue it. */
  readonly before: readonly number[];
  /** Other texts of the prompt: what follows the cursor, other files. */
  readonly others: readonly (readonly number[])[];
  /** Whole answers, the likeliest first. */
  readonly candidates: readonly (readonly number[])[];
}

/** A match longer than this says no more about what follows. */
const MAX_MATCH = 32;
/** So many tokens of an answer are guessed before one of them came. */
const FIRST_GUESS = 8;
/** One pass over 17 tokens costs a processor as much as two or three over two. */
const MAX_DRAFT = 16;

/** Proposes what comes next; told what came. One for each answer. */
export class DraftSource {
  readonly #stream: number[];
  readonly #texts: readonly (readonly number[])[];
  /** Those that agree with what came so far. */
  #candidates: readonly (readonly number[])[];
  #count = 0;

  constructor({ before, others, candidates }: DraftTexts) {
    this.#stream = [...before];
    this.#texts = [this.#stream, ...others, ...candidates];
    this.#candidates = candidates;
  }

  /** At most `max` tokens that may come next; empty when nothing is likely. */
  propose(max: number): readonly number[] {
    const count = this.#count;
    const candidate = this.#candidates.find(({ length }) => length > count);
    if (candidate !== undefined) {
      return candidate.slice(count, count + Math.min(max, FIRST_GUESS + count, MAX_DRAFT));
    }
    let best: readonly number[] = [];
    let bestEnd = 0;
    let bestLength = 0;
    for (const text of this.#texts) {
      for (let end = text.length - 1; end > bestLength && bestLength < MAX_MATCH; end--) {
        const length = this.#matchBefore(end, text);
        if (length > bestLength) [best, bestEnd, bestLength] = [text, end, length];
      }
    }
    return best.slice(bestEnd, bestEnd + Math.min(max, bestLength, MAX_DRAFT));
  }

  /** These tokens came. */
  push(tokens: readonly number[]): void {
    for (const token of tokens) {
      this.#candidates = this.#candidates.filter((text) => text[this.#count] === token);
      this.#stream.push(token);
      this.#count++;
    }
  }

  /** How many tokens before `end` of `text` equal the last that came. At most `MAX_MATCH`. */
  #matchBefore(end: number, text: readonly number[]): number {
    const stream = this.#stream;
    const limit = Math.min(MAX_MATCH, end, stream.length);
    let length = 0;
    while (length < limit && text[end - 1 - length] === stream[stream.length - 1 - length]) {
      length++;
    }
    return length;
  }
}
