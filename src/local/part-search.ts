/**
 * Parts: beginnings of the rest of a line that end with a unit of their own, such as a name or a
 * closing bracket. Lines that disagree later on agree in them, so that a part may be certain where
 * no line is. Cost: one pass over the texts of a pool, about 20 µs.
 */
import { isWordCode } from "../base/text.ts";
import type { Pool, PooledCandidate, RankedCandidate } from "./candidates.ts";
import type { Sources } from "./sources.ts";
import { TokenKind } from "./vocabulary.ts";

/** A shorter one is not worth reading. */
const LEAST_UNITS = 2;
/** Parts that get a chance; the others save next to nothing. */
const MAX_PARTS = 10;

/** A beginning, and the lines that begin so. */
export interface Part {
  readonly text: string;
  /** Of these one line has the text as its beginning or as a whole; likeliest first. */
  readonly lines: readonly RankedCandidate[];
  /** Sum of their chances. */
  readonly mass: number;
  /** Chance of the beginning by the counts of its tokens; 0 where none was put together. */
  readonly composed: number;
  /** The least chance of one of those tokens. */
  readonly weakest: number;
}

interface OpenPart {
  readonly text: string;
  readonly lines: RankedCandidate[];
  mass: number;
  composed: number;
  weakest: number;
}

/** The parts of ranked candidates that may save the most characters, in no particular order. */
export function findParts(
  sources: Sources,
  pool: Pool,
  ranked: readonly RankedCandidate[],
): readonly Part[] {
  const parts = new Map<string, OpenPart>();
  for (const line of ranked) {
    const { text } = line.candidate;
    for (const end of partEnds(text)) {
      if (end === text.length && pool.place.wordBehind !== "") continue;
      const own = text.slice(0, end);
      let part = parts.get(own);
      if (part === undefined) {
        part = { text: own, lines: [], mass: 0, composed: 0, weakest: 0 };
        parts.set(own, part);
      }
      part.lines.push(line);
      part.mass += line.chance;
    }
  }
  addComposed(sources, pool, parts);
  return [...parts.values()].sort((a, b) => promise(b) - promise(a)).slice(0, MAX_PARTS);
}

/** Where the parts of a text end, ascending. */
export function partEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let end = LEAST_UNITS; end <= text.length; end++) {
    if (endsUnit(text, end)) ends.push(end);
  }
  return ends;
}

/** True behind a word, a closing bracket, and a quote that closes. */
function endsUnit(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  const isBeforeWord = end < text.length && isWordCode(text.charCodeAt(end));
  if (isBeforeWord) return false;
  if (isWordCode(last) || last === 41 || last === 93 || last === 125) return true;
  const isQuote = last === 34 || last === 39 || last === 96;
  return isQuote && end > 1 && isWordCode(text.charCodeAt(end - 2));
}

function addComposed(sources: Sources, pool: Pool, parts: ReadonlyMap<string, OpenPart>): void {
  const { vocabulary } = sources;
  for (const { reading, readingLogChance, starts } of pool.starts) {
    for (const { tokens, logChance, weakest } of starts) {
      const kind = vocabulary.kindOf(tokens[tokens.length - 1] as number);
      if (kind === TokenKind.newline || kind === TokenKind.opening) continue;
      let text = "";
      for (const token of tokens) text += vocabulary.text(token);
      const part = parts.get(text.slice(reading.word.length));
      if (part === undefined) continue;
      part.composed += Math.exp(logChance + readingLogChance);
      part.weakest = Math.max(part.weakest, weakest);
    }
  }
}

/** About the characters that it saves. */
function promise({ text, mass, composed }: OpenPart): number {
  return (mass + composed / 2 + 0.001) * (text.length - 1);
}

/** The likeliest line of a part. */
export function firstLine(part: Part): PooledCandidate {
  return (part.lines[0] as RankedCandidate).candidate;
}
