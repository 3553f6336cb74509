/** One question in tokens: what may stand before the cursor, and where an answer has to end. */
import type { CursorPlace, FileView } from "./file-view.ts";
import type { Predictor } from "./predictor.ts";
import { CONTEXT_TOKENS } from "./sort-positions.ts";
import type { Sources } from "./sources.ts";
import { HOLE, SEPARATOR, TokenKind, type Vocabulary } from "./vocabulary.ts";

/** Longest answer in tokens. */
export const MAX_LINE_TOKENS = 32;
/** Tokens right of the cursor that are compared. */
export const SUFFIX_TOKENS = 12;

/** A context, the word before the cursor, an answer and the suffix. */
const CONTEXT_ROOM = CONTEXT_TOKENS + 1 + MAX_LINE_TOKENS + SUFFIX_TOKENS;
/** Weight of the prior against the mass that the context gives. */
const PRIOR_WEIGHT = 0.02;
const KNOWN_WORD_PRIOR = 0.7;
const NEW_WORD_PRIOR = 0.1;

/** A reading of the word before the cursor. */
export interface Reading {
  /** `unfinished`: the first token begins with the word. `finished`: it stands complete. */
  readonly kind: "unfinished" | "finished";
  /** The last tokens before the answer; room for an answer and a suffix behind `end`. */
  readonly context: Int32Array;
  readonly end: number;
  /** What the first token must begin with, itself longer; `""` when it is free. */
  readonly word: string;
}

/** Logarithms of the chances of both readings. */
export type WordEvidence = Readonly<Record<Reading["kind"], number>>;

/** No token has this id. */
const NEVER = -1;

/** Decides where answers end. */
export class LineEnd {
  readonly #vocabulary: Vocabulary;
  /** The tokens right of the cursor: the rest of its line, then the lines below. */
  readonly suffix: Int32Array;
  /** True when the answer must lead to text that already stands on the line. */
  readonly hasRest: boolean;
  readonly #first: number;
  readonly #firstSpaced: number;

  constructor(vocabulary: Vocabulary, view: FileView, place: CursorPlace) {
    this.#vocabulary = vocabulary;
    const { suffixStart } = place;
    this.suffix = view.tokens.slice(
      suffixStart,
      Math.min(view.length, suffixStart + SUFFIX_TOKENS),
    );
    this.hasRest = place.hasRest;
    this.#first = this.suffix[0] ?? SEPARATOR;
    const spaced = ` ${vocabulary.text(this.#first).trimStart()}`;
    const known = place.hasRest ? vocabulary.find(spaced) : HOLE;
    this.#firstSpaced = known === HOLE ? NEVER : known;
  }

  /** True when an answer ends before `token`, with `depth` brackets of its own open. */
  endsAt(token: number, depth: number): boolean {
    if (!this.hasRest) return this.isLineBreak(token);
    return depth === 0 && (token === this.#first || token === this.#firstSpaced);
  }

  /** True for the end of a line or file. */
  isLineBreak(token: number): boolean {
    return token === SEPARATOR || this.#vocabulary.kindOf(token) === TokenKind.newline;
  }

  /** Number of tokens of the suffix, from its start, that stand at `at`. */
  matchRight(tokens: Int32Array, at: number): number {
    let length = 0;
    while (length < this.suffix.length) {
      const token = tokens[at + length] as number;
      const wanted = this.suffix[length] as number;
      if (token <= HOLE) break;
      const isEqual =
        token === wanted || (length === 0 && this.hasRest && token === this.#firstSpaced);
      if (!isEqual) break;
      length++;
    }
    return length;
  }
}

/** 1 for an opening bracket, -1 for a closing one, 0 for any other token. */
export function bracketStep(vocabulary: Vocabulary, token: number): number {
  const kind = vocabulary.kindOf(token);
  if (kind === TokenKind.opening) return 1;
  return kind === TokenKind.closing ? -1 : 0;
}

/** The readings of a place: one, or two when a word stands right before the cursor. */
export function readingsOf(view: FileView, place: CursorPlace): Reading[] {
  const unfinished = reading(view, place, "unfinished");
  if (place.word === "" || place.word === " ") return [unfinished];
  return [unfinished, reading(view, place, "finished")];
}

/** The reading of the line that follows an answer, begun by a newline token. */
export function readingAfter(before: Reading, answer: Int32Array, newline: number): Reading {
  const all = Int32Array.of(...before.context.subarray(0, before.end), ...answer, newline);
  const tail = all.subarray(Math.max(0, all.length - CONTEXT_TOKENS));
  const context = new Int32Array(CONTEXT_ROOM);
  context.set(tail);
  return { kind: "unfinished", context, end: tail.length, word: "" };
}

function reading(view: FileView, place: CursorPlace, kind: Reading["kind"]): Reading {
  const context = new Int32Array(CONTEXT_ROOM);
  const start = Math.max(0, place.hole - CONTEXT_TOKENS);
  context.set(view.tokens.subarray(start, place.hole));
  let end = place.hole - start;
  if (kind === "finished") context[end++] = place.wordToken;
  return { kind, context, end, word: kind === "finished" ? "" : place.word };
}

/**
 * How likely each reading of the word before the cursor is, as logarithms. `predictor` has just
 * predicted the token in which the word stands. What followed this context decides; where it is
 * silent, a word that stands somewhere as a token counts as finished more often than one that
 * does not.
 */
export function wordEvidence(
  sources: Sources,
  predictor: Predictor,
  place: CursorPlace,
): WordEvidence {
  const { vocabulary, index } = sources;
  let finished = 0;
  let unfinished = 0;
  for (let i = 0; i < predictor.size; i++) {
    const token = predictor.token(i);
    if (token === place.wordToken) finished += predictor.chance(i);
    else if (vocabulary.startsWith(token, place.word)) unfinished += predictor.chance(i);
  }
  const { buckets } = index;
  const isIndexed =
    place.wordToken + 1 < buckets.length &&
    (buckets[place.wordToken + 1] as number) > (buckets[place.wordToken] as number);
  const prior = isIndexed ? KNOWN_WORD_PRIOR : NEW_WORD_PRIOR;
  finished += PRIOR_WEIGHT * prior;
  unfinished += PRIOR_WEIGHT * (1 - prior);
  const sum = finished + unfinished;
  return { finished: Math.log(finished / sum), unfinished: Math.log(unfinished / sum) };
}
