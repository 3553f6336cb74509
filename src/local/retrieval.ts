/**
 * Whole continuations from places that look like the cursor's: what followed the longest matching
 * contexts up to the end of the line, weighted by how much of the left and of the right context
 * agrees. Weights from the prototype's grid search (e-folds per matching token).
 */
import { type Analogy, AnalogyFinder, exchangeWords } from "./analogy.ts";
import type { Matches } from "./chained-tokens.ts";
import { bracketStep, type LineEnd, MAX_LINE_TOKENS, type Reading } from "./cursor-query.ts";
import type { ContextRanges } from "./index-search.ts";
import type { Predictor } from "./predictor.ts";
import type { Sources } from "./sources.ts";
import { HOLE } from "./vocabulary.ts";

const LEFT_WEIGHT = 0.45;
const RIGHT_WEIGHT = 0.5;
const FILE_BONUS = 0.7;
const RECENT_BONUS = 0.35;
const MAX_LEFT = 16;
const MAX_RIGHT = 8;

/** Occurrences of the index that count, and that are looked at to find them. */
const MAX_TAKEN = 96;
const MAX_VISITED = 1024;

/** Equal continuations of several places. */
export interface Continuation {
  readonly tokens: Int32Array;
  /** Places, and how many of them in the open document. */
  places: number;
  placesInFile: number;
  /** Most tokens that agree on the left and on the right at one place. */
  left: number;
  right: number;
  /** Share of all weight by both sides, and by the left side alone. */
  share: number;
  leftShare: number;
  /** Share of its own weight at places where an analogy would exchange words of it. */
  exchangeable: number;
  /** Tokens between the cursor and the nearest place in the open document; Infinity without one. */
  distance: number;
}

/** A continuation with words exchanged; words that stand nowhere else are holes among its tokens. */
export interface AnalogousContinuation extends Continuation {
  readonly text: string;
  /** Most tokens that agree or are exchanged before one place. */
  aligned: number;
}

/** What was found, heaviest first. */
export interface Retrieved {
  readonly continuations: readonly Continuation[];
  readonly analogous: readonly AnalogousContinuation[];
}

/** Continuations after a reading, which `predictor` has just predicted. The cursor is at `hole`. */
export function retrieve(
  sources: Sources,
  predictor: Predictor,
  reading: Reading,
  lineEnd: LineEnd,
  hole: number,
): Retrieved {
  const collector = new Collector(sources, reading, lineEnd, hole);
  collector.takeMatches(sources.view.tokens, predictor.fileMatches, FILE_BONUS, true);
  collector.takeMatches(sources.recent.tokens, predictor.recentMatches, RECENT_BONUS, false);
  collector.takeRanges(predictor.ranges);
  return collector.finish();
}

/** One place that was found. */
interface Place {
  readonly left: number;
  readonly right: number;
  readonly weight: number;
  readonly leftWeight: number;
  /** Tokens from the cursor; Infinity outside the open document. */
  readonly distance: number;
}

class Collector {
  readonly #sources: Sources;
  readonly #reading: Reading;
  readonly #lineEnd: LineEnd;
  readonly #hole: number;
  readonly #groups = new Map<number, Continuation[]>();
  readonly #analogous = new Map<string, AnalogousContinuation>();
  readonly #finder: AnalogyFinder;
  readonly #texts = new Map<number, string>();
  #total = 0;
  #leftTotal = 0;

  constructor(sources: Sources, reading: Reading, lineEnd: LineEnd, hole: number) {
    this.#hole = hole;
    this.#sources = sources;
    this.#reading = reading;
    this.#lineEnd = lineEnd;
    this.#finder = new AnalogyFinder(sources.vocabulary, reading.context, reading.end);
  }

  takeMatches(tokens: Int32Array, matches: Matches, bonus: number, isFile: boolean): void {
    for (let i = 0; i < matches.count; i++) {
      const left = matches.lengths[i] as number;
      if (left < 2 && this.#reading.end > 1) continue;
      this.#take(tokens, matches.positions[i] as number, left, bonus, isFile);
    }
  }

  /** Longest contexts first; of each length only the places that no longer one holds. */
  takeRanges(ranges: ContextRanges): void {
    let taken = 0;
    let visited = 0;
    let innerLow = 0;
    let innerHigh = 0;
    const shortest = this.#reading.word === "" ? 2 : 1;
    for (let length = ranges.longest; length >= shortest; length--) {
      const low = ranges.lows[length] as number;
      const high = ranges.highs[length] as number;
      if (innerLow === innerHigh) innerLow = innerHigh = low;
      const fresh = innerLow - low + high - innerHigh;
      const step = Math.max(1, fresh / Math.max(1, this.#budget(taken, visited)));
      for (let i = 0; i < fresh; i += step) {
        const offset = low + (i | 0);
        const at = offset < innerLow ? offset : offset - innerLow + innerHigh;
        const position = this.#sources.index.positions[at] as number;
        visited++;
        if (this.#sources.mask.hides(position)) continue;
        if (this.#take(this.#sources.index.tokens, position, length, 0, false)) taken++;
      }
      if (taken >= MAX_TAKEN || visited >= MAX_VISITED) return;
      innerLow = low;
      innerHigh = high;
    }
  }

  finish(): Retrieved {
    const continuations = [...this.#groups.values()].flat();
    const analogous = [...this.#analogous.values()];
    for (const continuation of [...continuations, ...analogous]) {
      continuation.exchangeable /= continuation.share;
      continuation.share /= this.#total;
      continuation.leftShare /= this.#leftTotal;
    }
    continuations.sort((a, b) => b.share - a.share || compareTokens(a.tokens, b.tokens));
    analogous.sort((a, b) => b.share - a.share || (a.text < b.text ? -1 : 1));
    return { continuations, analogous };
  }

  /** Where the first token is bound to a word, most places are refused: look at more of them. */
  #budget(taken: number, visited: number): number {
    return this.#reading.word === "" ? MAX_TAKEN - taken : MAX_VISITED - visited;
  }

  #take(tokens: Int32Array, start: number, left: number, bonus: number, isFile: boolean): boolean {
    const { vocabulary } = this.#sources;
    const analogy = this.#finder.at(tokens, start, left);
    const fits = this.#fitsWord(tokens[start] as number);
    if (!fits && !this.#fitsExchanged(tokens[start] as number, analogy)) return false;
    let end = start;
    let depth = 0;
    let hash = 0;
    for (; ; end++) {
      const token = tokens[end] as number;
      if (token === HOLE || end - start > MAX_LINE_TOKENS - 4) return false;
      if (this.#lineEnd.endsAt(token, depth)) break;
      if (this.#lineEnd.isLineBreak(token)) return false;
      depth += bracketStep(vocabulary, token);
      hash = Math.imul(hash ^ token, 0x9e3779b1) ^ (hash >>> 13);
    }
    if (end === start) return false;
    const right = this.#lineEnd.matchRight(tokens, end);
    const leftWeight = Math.exp(LEFT_WEIGHT * Math.min(left, MAX_LEFT) + bonus);
    const weight = leftWeight * Math.exp(RIGHT_WEIGHT * Math.min(right, MAX_RIGHT));
    const distance = isFile ? Math.abs(this.#hole - start) : Number.POSITIVE_INFINITY;
    const place = { left, right, weight, leftWeight, distance };
    const isExchangeable = analogy !== null && this.#holdsExchanged(tokens, start, end, analogy);
    if (isExchangeable) {
      this.#takeAnalogous(tokens.subarray(start, end), analogy, place);
    }
    if (!fits) return false;
    const group = this.#group(tokens, start, end, hash);
    this.#add(group, place);
    if (isExchangeable) group.exchangeable += weight;
    return true;
  }

  #holdsExchanged(tokens: Int32Array, start: number, end: number, analogy: Analogy): boolean {
    for (let at = start; at < end; at++) {
      const text = this.#text(tokens[at] as number);
      if (exchangeWords(text, analogy) !== text) return true;
    }
    return false;
  }

  #takeAnalogous(continuation: Int32Array, analogy: Analogy, place: Place): void {
    const texts: string[] = [];
    const tokens = continuation.map((token) => {
      const before = this.#text(token);
      const after = exchangeWords(before, analogy);
      texts.push(after);
      return after === before ? token : this.#sources.vocabulary.find(after);
    });
    const text = texts.join("");
    const { word } = this.#reading;
    if (!text.startsWith(word) || (texts[0] as string).length <= word.length) return;
    let group = this.#analogous.get(text);
    if (group === undefined) {
      group = { ...emptyContinuation(tokens), text, aligned: 0 };
      this.#analogous.set(text, group);
    }
    group.aligned = Math.max(group.aligned, place.left + analogy.aligned);
    this.#add(group, place);
  }

  #add(group: Continuation, { left, right, weight, leftWeight, distance }: Place): void {
    group.places++;
    if (Number.isFinite(distance)) group.placesInFile++;
    group.distance = Math.min(group.distance, distance);
    group.left = Math.max(group.left, left);
    group.right = Math.max(group.right, right);
    group.share += weight;
    group.leftShare += leftWeight;
    this.#total += weight;
    this.#leftTotal += leftWeight;
  }

  /** True when a token may be first: longer than the word before the cursor, and beginning with it. */
  #fitsWord(token: number): boolean {
    const { vocabulary } = this.#sources;
    const { word } = this.#reading;
    return (
      word === "" ||
      (vocabulary.lengthOf(token) > word.length && vocabulary.startsWith(token, word))
    );
  }

  #fitsExchanged(token: number, analogy: Analogy | null): boolean {
    if (analogy === null) return false;
    const { word } = this.#reading;
    const text = exchangeWords(this.#text(token), analogy);
    return text.length > word.length && text.startsWith(word);
  }

  #text(token: number): string {
    let text = this.#texts.get(token);
    if (text === undefined) {
      text = this.#sources.vocabulary.text(token);
      this.#texts.set(token, text);
    }
    return text;
  }

  #group(tokens: Int32Array, start: number, end: number, hash: number): Continuation {
    let same = this.#groups.get(hash);
    if (same === undefined) {
      same = [];
      this.#groups.set(hash, same);
    }
    for (const group of same) if (isRun(group.tokens, tokens, start, end)) return group;
    const made = emptyContinuation(tokens.slice(start, end));
    same.push(made);
    return made;
  }
}

function emptyContinuation(tokens: Int32Array): Continuation {
  return {
    tokens,
    places: 0,
    placesInFile: 0,
    left: 0,
    right: 0,
    share: 0,
    leftShare: 0,
    exchangeable: 0,
    distance: Number.POSITIVE_INFINITY,
  };
}

/** True when `run` is `tokens[start, end)`. */
function isRun(run: Int32Array, tokens: Int32Array, start: number, end: number): boolean {
  if (run.length !== end - start) return false;
  for (let i = 0; i < run.length; i++) if (run[i] !== tokens[start + i]) return false;
  return true;
}

function compareTokens(a: Int32Array, b: Int32Array): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  }
  return 0;
}
