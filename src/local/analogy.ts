/**
 * Continuations by analogy: where the text before a place differs from the text before the cursor in
 * a few words only, what followed there follows here with those words exchanged.
 * `export { a } from "./a"` says how `export { b } from "./█` goes on.
 */
import { isWordCode } from "../base/text.ts";
import { CONTEXT_TOKENS } from "./sort-positions.ts";
import { HOLE, TokenKind, type Vocabulary } from "./vocabulary.ts";

/** More words than this apart is another text. */
const MAX_PAIRS = 3;
/** Shorter parts of words are exchanged by chance. */
const MIN_PART_UNITS = 3;

/** Words of another place, and those that stand for them at the cursor. */
export interface Analogy {
  readonly exchanges: readonly Exchange[];
  /** Tokens that agree, or are exchanged, beyond those that match exactly. */
  readonly aligned: number;
}

interface Exchange {
  readonly fromToken: number;
  readonly toToken: number;
  readonly from: string;
  readonly to: string;
  /** Parts of longer words that change along, each with what replaces it. */
  readonly parts: readonly (readonly [from: string, to: string])[];
}

export class AnalogyFinder {
  readonly #vocabulary: Vocabulary;
  readonly #context: Int32Array;
  readonly #end: number;
  readonly #exchanges = new Map<number, Exchange | null>();

  /** The context is `context[0, end)`. */
  constructor(vocabulary: Vocabulary, context: Int32Array, end: number) {
    this.#vocabulary = vocabulary;
    this.#context = context;
    this.#end = end;
  }

  /** What differs before `tokens[start]`, whose last `left` tokens match; `null` when too much does. */
  at(tokens: Int32Array, start: number, left: number): Analogy | null {
    const exchanges: Exchange[] = [];
    const limit = Math.min(CONTEXT_TOKENS, this.#end, start);
    let back = left;
    for (; back < limit; back++) {
      const there = tokens[start - 1 - back] as number;
      const here = this.#context[this.#end - 1 - back] as number;
      if (there <= HOLE || here <= HOLE) break;
      if (there === here) continue;
      if (exchanges.length === MAX_PAIRS || !this.#isWord(there) || !this.#isWord(here)) break;
      const exchange = this.#exchange(there, here);
      if (exchange === null) break;
      exchanges.push(exchange);
    }
    return exchanges.length === 0 ? null : { exchanges, aligned: back - left };
  }

  #isWord(token: number): boolean {
    return this.#vocabulary.kindOf(token) === TokenKind.word;
  }

  #exchange(there: number, here: number): Exchange | null {
    const key = there * 0x200000 + here;
    const known = this.#exchanges.get(key);
    if (known !== undefined) return known;
    const from = this.#vocabulary.text(there).trimStart();
    const to = this.#vocabulary.text(here).trimStart();
    const areWords = isName(from) && isName(to) && from !== to;
    const made = areWords
      ? { fromToken: there, toToken: here, from, to, parts: partsOf(from, to) }
      : null;
    this.#exchanges.set(key, made);
    return made;
  }
}

/** A token with the words of an analogy exchanged; the same text when it holds none of them. */
export function exchangeWords(text: string, { exchanges }: Analogy): string {
  const space = text.startsWith(" ") ? " " : "";
  const word = text.slice(space.length);
  if (word.length < 2 || !isWordCode(word.charCodeAt(0))) return text;
  for (const { from, to, parts } of exchanges) {
    if (word === from) return space + to;
    for (const [fromPart, toPart] of parts) {
      const at = word.indexOf(fromPart);
      if (at >= 0) return space + word.slice(0, at) + toPart + word.slice(at + fromPart.length);
    }
  }
  return text;
}

/** A letter first, and not a single one. */
function isName(word: string): boolean {
  const code = word.charCodeAt(0);
  return word.length > 1 && isWordCode(code) && !(48 <= code && code <= 57);
}

/** What differs inside two words, as it stands and with the first letter small and large. */
function partsOf(from: string, to: string): [string, string][] {
  let start = 0;
  const limit = Math.min(from.length, to.length);
  while (start < limit && from[start] === to[start]) start++;
  let end = 0;
  while (end < limit - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  const fromPart = from.slice(start, from.length - end);
  const toPart = to.slice(start, to.length - end);
  if (fromPart.length < MIN_PART_UNITS || toPart.length === 0) return [];
  return [
    [fromPart, toPart],
    [lowerFirst(fromPart), lowerFirst(toPart)],
    [upperFirst(fromPart), upperFirst(toPart)],
  ];
}

function lowerFirst(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
