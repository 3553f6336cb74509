/** The candidates of one line at one place, with what is known about each. */
import { isHighSurrogate, isLowSurrogate } from "../base/text.ts";
import { type ComposedLine, type ComposedStart, compose } from "./composition.ts";
import {
  LineEnd,
  MAX_LINE_TOKENS,
  type Reading,
  readingAfter,
  readingsOf,
  type WordEvidence,
  wordEvidence,
} from "./cursor-query.ts";
import type { CursorPlace } from "./file-view.ts";
import { isNewline } from "./lexer.ts";
import { Predictor } from "./predictor.ts";
import { type AnalogousContinuation, type Continuation, retrieve } from "./retrieval.ts";
import type { Sources } from "./sources.ts";
import { SEPARATOR } from "./vocabulary.ts";

/** Of each reading at most this many by both sides, and by the left side alone. */
const MAX_RETRIEVED = 6;
const MAX_ANALOGOUS = 4;
/** Candidates that are rescored; the rest is too unlikely to matter. */
const MAX_POOL = 16;
/** Tokens right of the cursor whose chance after the candidate is weighed. */
const FIT_TOKENS = 4;
const FIT_SAMPLES = 24;
const FIT_FLOOR = 1e-4;
/** Samples per order where a word has to be found among the next tokens. */
const WORD_SAMPLES = 256;

/** Facts about one text. */
export interface PooledCandidate {
  /** Text to insert; the part of the word already typed is left out. */
  readonly text: string;
  readonly tokens: Int32Array;
  readonly reading: Reading;
  /** Logarithm of the chance that the reading of the word is the right one. */
  readonly readingLogChance: number;
  readonly composed: ComposedLine | null;
  readonly retrieved: Continuation | null;
  readonly analogous: AnalogousContinuation | null;
  /** Sum of the log chances of the first tokens of the suffix, were the candidate inserted. */
  readonly suffixFit: number;
  /** Chances of the line ending there, and of the first token of the suffix. */
  readonly endChance: number;
}

/** What holds for all candidates of a place. */
export interface Pool {
  readonly place: CursorPlace;
  readonly lineEnd: LineEnd;
  readonly candidates: readonly PooledCandidate[];
  readonly starts: readonly ReadingStarts[];
  /** Longest contexts found in the index and in the open document. */
  readonly longestInIndex: number;
  readonly longestInFile: number;
  /** Number of different continuations found. */
  readonly continuations: number;
}

/** Beginnings of lines that were put together after a reading. */
export interface ReadingStarts {
  readonly reading: Reading;
  readonly readingLogChance: number;
  readonly starts: readonly ComposedStart[];
}

/** A candidate of a pool with its chance. */
export interface RankedCandidate {
  readonly candidate: PooledCandidate;
  readonly chance: number;
}

/** A token and its chance. */
export interface TokenChance {
  readonly token: number;
  readonly chance: number;
}

interface Draft {
  readonly text: string;
  readonly tokens: Int32Array;
  readonly reading: Reading;
  readonly readingLogChance: number;
  composed: ComposedLine | null;
  retrieved: Continuation | null;
  analogous: AnalogousContinuation | null;
}

export class CandidateSearch {
  readonly #predictor = new Predictor();

  /** Everything worth proposing at a place; in no particular order. */
  search(sources: Sources, place: CursorPlace): Pool {
    const lineEnd = new LineEnd(sources.vocabulary, sources.view, place);
    return this.#searchReadings(sources, place, lineEnd, readingsOf(sources.view, place));
  }

  /** The same for the line that follows a candidate, begun by `newline`. */
  searchBelow(sources: Sources, pool: Pool, after: PooledCandidate, newline: number): Pool {
    const nothing = { word: "", wordBehind: "", wordToken: 0 };
    const place = { ...pool.place, ...nothing, atLineStart: true };
    const reading = readingAfter(after.reading, after.tokens, newline);
    return this.#searchReadings(sources, place, pool.lineEnd, [reading]);
  }

  /** The likeliest newline token after a candidate; `null` when it is a blank line or unknown. */
  newlineAfter(sources: Sources, after: PooledCandidate): TokenChance | null {
    const { context, end } = after.reading;
    context.set(after.tokens, end);
    this.#predictor.predict(sources, context, end + after.tokens.length);
    let token = SEPARATOR;
    let chance = 0;
    let sum = 0;
    for (let i = 0; i < this.#predictor.size; i++) {
      const other = this.#predictor.token(i);
      if (!isNewline(sources.vocabulary, other)) continue;
      sum += this.#predictor.chance(i);
      if (this.#predictor.chance(i) <= chance) continue;
      token = other;
      chance = this.#predictor.chance(i);
    }
    if (token === SEPARATOR || sources.vocabulary.lengthOf(token) < 2) return null;
    return { token, chance: chance / sum };
  }

  #searchReadings(
    sources: Sources,
    place: CursorPlace,
    lineEnd: LineEnd,
    readings: readonly Reading[],
  ): Pool {
    const predictor = this.#predictor;
    const drafts = new Map<string, Draft>();
    let longestInIndex = 0;
    let longestInFile = 0;
    let continuations = 0;
    let evidence: WordEvidence | null = null;
    const starts: ReadingStarts[] = [];
    for (const reading of readings) {
      const samples = reading.word === "" ? undefined : WORD_SAMPLES;
      predictor.predict(sources, reading.context, reading.end, samples);
      // Of two readings the unfinished one comes first; the token it predicts tells both apart.
      if (readings.length > 1) evidence ??= wordEvidence(sources, predictor, place);
      const readingLogChance = evidence === null ? 0 : evidence[reading.kind];
      const { continuations: found, analogous } = retrieve(
        sources,
        predictor,
        reading,
        lineEnd,
        place.hole,
      );
      continuations += found.length;
      longestInIndex = Math.max(longestInIndex, predictor.ranges.longest);
      longestInFile = Math.max(longestInFile, predictor.longestInFile);
      const byLeft = [...found].sort((a, b) => b.leftShare - a.leftShare);
      const kept = new Set([...found.slice(0, MAX_RETRIEVED), ...byLeft.slice(0, MAX_RETRIEVED)]);
      for (const retrieved of kept) {
        const draft = draftOf(sources, drafts, reading, readingLogChance, retrieved.tokens);
        if (draft !== null) draft.retrieved ??= retrieved;
      }
      for (const like of analogous.slice(0, MAX_ANALOGOUS)) {
        const draft = draftOf(sources, drafts, reading, readingLogChance, like.tokens, like.text);
        if (draft !== null) draft.analogous ??= like;
      }
      const { lines, starts: own } = compose(sources, predictor, reading, lineEnd);
      starts.push({ reading, readingLogChance, starts: own });
      for (const composed of lines) {
        const draft = draftOf(sources, drafts, reading, readingLogChance, composed.tokens);
        if (draft !== null) draft.composed ??= composed;
      }
    }
    const pool = [...drafts.values()].sort((a, b) => promise(b) - promise(a)).slice(0, MAX_POOL);
    const candidates = pool.map((draft) => ({ ...draft, ...this.#fit(sources, lineEnd, draft) }));
    return { place, lineEnd, candidates, starts, longestInIndex, longestInFile, continuations };
  }

  /** How well the text right of the cursor goes on after a candidate. */
  #fit(
    sources: Sources,
    lineEnd: LineEnd,
    draft: Draft,
  ): { readonly suffixFit: number; readonly endChance: number } {
    const { context, end } = draft.reading;
    context.set(draft.tokens.subarray(0, MAX_LINE_TOKENS), end);
    let length = end + draft.tokens.length;
    let suffixFit = 0;
    let endChance = 0;
    for (let i = 0; i < FIT_TOKENS; i++) {
      const token = lineEnd.suffix[i] ?? SEPARATOR;
      this.#predictor.predict(sources, context, length, FIT_SAMPLES);
      if (i === 0) endChance = endingChance(this.#predictor, lineEnd);
      suffixFit += Math.log(0.98 * this.#predictor.chanceOf(token) + FIT_FLOOR);
      if (token === SEPARATOR) break;
      context[length++] = token;
    }
    return { suffixFit, endChance };
  }
}

function endingChance(predictor: Predictor, lineEnd: LineEnd): number {
  let sum = 0;
  for (let i = 0; i < predictor.size; i++) {
    if (lineEnd.endsAt(predictor.token(i), 0)) sum += predictor.chance(i);
  }
  return sum;
}

/** Coarse order in which candidates are kept for rescoring. */
function promise(draft: Draft): number {
  const composed = draft.composed === null ? 0 : Math.exp(draft.composed.logChance);
  const retrieved =
    draft.retrieved === null ? 0 : draft.retrieved.share + draft.retrieved.leftShare * 0.5;
  const analogous = draft.analogous === null ? 0 : draft.analogous.share;
  return (composed + retrieved + analogous) * Math.exp(draft.readingLogChance);
}

/** The draft of a text, made when it is new; `null` for texts that add nothing to see. */
function draftOf(
  sources: Sources,
  drafts: Map<string, Draft>,
  reading: Reading,
  readingLogChance: number,
  tokens: Int32Array,
  whole: string = textOf(sources, tokens),
): Draft | null {
  const text = whole.slice(reading.word.length).trimEnd();
  if (text.trim() === "" || hasHalfCharacter(text)) return null;
  const known = drafts.get(text);
  if (known !== undefined) return known.reading === reading ? known : null;
  const draft = {
    text,
    tokens,
    reading,
    readingLogChance,
    composed: null,
    retrieved: null,
    analogous: null,
  };
  drafts.set(text, draft);
  return draft;
}

function textOf({ vocabulary }: Sources, tokens: Int32Array): string {
  let text = "";
  for (const token of tokens) text += vocabulary.text(token);
  return text;
}

/** True when a surrogate pair is cut at the start or at the end. */
function hasHalfCharacter(text: string): boolean {
  return isLowSurrogate(text.charCodeAt(0)) || isHighSurrogate(text.charCodeAt(text.length - 1));
}
