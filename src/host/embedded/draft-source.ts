/**
 * Drafts for speculative decoding, from texts that are known already: answers that somebody else
 * proposes, and the prompt itself, since an edit repeats what stands nearby. The longest end of "text
 * before the cursor, then what was generated" that occurs elsewhere is looked up (prompt lookup, Saxena
 * 2023), and what follows there is the draft, at most as long as the match (suffix decoding, arXiv
 * 2411.04975). Cost of one draft: a scan over all tokens that stops at the first difference, some
 * 10 µs for a prompt of 4,000 tokens.
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

/** A match longer than this says no more about what follows. Candidates match so far from the start. */
const MAX_MATCH = 32;
/** One equal token is chance; its draft would cost more than it saves. */
const MIN_MATCH = 2;
/** One pass over 17 tokens costs a processor as much as three or four over one. */
const MAX_DRAFT = 16;

/** Proposes what comes next; told what came. One for each answer. */
export class DraftSource {
  readonly #stream: number[];
  readonly #others: readonly (readonly number[])[];
  readonly #candidates: readonly (readonly number[])[];

  constructor({ before, others, candidates }: DraftTexts) {
    const tail = before.slice(-MAX_MATCH);
    this.#stream = [...before];
    this.#others = others;
    this.#candidates = candidates.map((candidate) => [...tail, ...candidate]);
  }

  /** At most `max` tokens that may come next; empty when nothing is likely. */
  propose(max: number): readonly number[] {
    let best: readonly number[] = [];
    let bestEnd = 0;
    let bestLength = MIN_MATCH - 1;
    const look = (text: readonly number[], last: number): void => {
      for (let end = last; end > bestLength && bestLength < MAX_MATCH; end--) {
        const length = commonEnd(this.#stream, text, end);
        if (length > bestLength) [best, bestEnd, bestLength] = [text, end, length];
      }
    };
    for (const candidate of this.#candidates) look(candidate, candidate.length - 1);
    look(this.#stream, this.#stream.length - 1);
    for (const other of this.#others) look(other, other.length - 1);
    const length = Math.min(max, bestLength, MAX_DRAFT);
    return best.slice(bestEnd, bestEnd + length);
  }

  /** These tokens came. */
  push(tokens: readonly number[]): void {
    for (const token of tokens) this.#stream.push(token);
  }
}

/** How many tokens before `end` of `text` equal the end of `stream`. At most `MAX_MATCH`. */
function commonEnd(stream: readonly number[], text: readonly number[], end: number): number {
  const limit = Math.min(MAX_MATCH, end, stream.length);
  let length = 0;
  while (length < limit && text[end - 1 - length] === stream[stream.length - 1 - length]) length++;
  return length;
}
