/** Numbers that tell a right part of a line from a wrong one. Its calibrator is fitted on them. */
import { isWordCode } from "../base/text.ts";
import type { Pool, RankedCandidate } from "./candidates.ts";
import type { Part } from "./part-search.ts";
import type { Sources } from "./sources.ts";
import { HOLE } from "./vocabulary.ts";

/** Names of the features, in the order of `partFeatures`. */
export const partFeatureNames = [
  "mass",
  "otherMass",
  "massLead",
  "bestLine",
  "bestOfAll",
  "lineOfItsOwn",
  "lines",
  "longerMass",
  "composed",
  "weakest",
  "share",
  "leftShare",
  "left",
  "right",
  "places",
  "placesInFile",
  "distance",
  "analogyShare",
  "suffixFit",
  "readingLogChance",
  "units",
  "words",
  "endsInWord",
  "endsInCloser",
  "openBrackets",
  "lastWordUnits",
  "lastWordInFile",
  "wordsInFile",
  "isAtLineStart",
  "isInWord",
  "wordUnits",
  "hasRest",
  "lineTokens",
  "longestInIndex",
  "longestInFile",
  "continuations",
] as const;

/** Features of every part of a place. */
export function partFeatures(
  sources: Sources,
  pool: Pool,
  ranked: readonly RankedCandidate[],
  parts: readonly Part[],
): number[][] {
  const { place } = pool;
  const total = ranked.reduce((sum, { chance }) => sum + chance, 0);
  const typed = wordAtEnd(place.word);
  return parts.map((part) => {
    const { text, lines, mass } = part;
    const first = lines[0];
    const own = lines.find(({ candidate }) => candidate.text === text);
    const found = lines.flatMap(({ candidate: { retrieved } }) => retrieved ?? []);
    const analogous = lines.flatMap((line) => line.candidate.analogous ?? []);
    const words = wordsOf(typed, text);
    const last = text.charCodeAt(text.length - 1);
    return [
      mass,
      total - mass,
      mass - heaviestOther(part, parts),
      first?.chance ?? 0,
      ranked[0]?.chance ?? 0,
      own?.chance ?? 0,
      Math.log(lines.length),
      heaviestLonger(part, parts),
      Math.min(1, part.composed),
      part.weakest,
      sumOf(found, ({ share }) => share),
      sumOf(found, ({ leftShare }) => leftShare),
      Math.min(
        16,
        mostOf(found, ({ left }) => left),
      ) / 16,
      Math.min(
        8,
        mostOf(found, ({ right }) => right),
      ) / 8,
      Math.log(1 + sumOf(found, ({ places }) => places)),
      Math.log(1 + sumOf(found, ({ placesInFile }) => placesInFile)),
      Math.min(1, Math.log(1 + Math.min(...found.map(({ distance }) => distance))) / 12),
      sumOf(analogous, ({ share }) => share),
      Math.max(-4, (first?.candidate.suffixFit ?? -40) / 10),
      Math.max(-5, first?.candidate.readingLogChance ?? -5),
      Math.log(1 + text.trim().length),
      words.length,
      isWordCode(last) ? 1 : 0,
      last === 41 || last === 93 || last === 125 ? 1 : 0,
      Math.max(-3, Math.min(3, openBrackets(text))) / 3,
      Math.log(1 + (words[words.length - 1] ?? "").length),
      isInFile(sources, words[words.length - 1] ?? "") ? 1 : 0,
      words.filter((word) => isInFile(sources, word)).length / Math.max(1, words.length),
      place.atLineStart && place.word === "" ? 1 : 0,
      typed !== "" && isWordCode(text.charCodeAt(0)) ? 1 : 0,
      Math.min(8, typed.length) / 8,
      place.hasRest ? 1 : 0,
      Math.min(20, place.hole - place.lineToken - 1) / 10,
      Math.min(16, pool.longestInIndex) / 16,
      Math.min(16, pool.longestInFile) / 16,
      Math.log(1 + pool.continuations),
    ];
  });
}

/** The greatest mass of a part that says otherwise. */
function heaviestOther({ text }: Part, parts: readonly Part[]): number {
  let most = 0;
  for (const other of parts) {
    if (other.mass <= most || other.text.startsWith(text) || text.startsWith(other.text)) continue;
    most = other.mass;
  }
  return most;
}

/** The greatest mass of a part that goes on. */
function heaviestLonger({ text }: Part, parts: readonly Part[]): number {
  let most = 0;
  for (const other of parts) {
    if (other.mass > most && other.text.length > text.length && other.text.startsWith(text)) {
      most = other.mass;
    }
  }
  return most;
}

function sumOf<T>(rows: readonly T[], numberOf: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + numberOf(row), 0);
}

function mostOf<T>(rows: readonly T[], numberOf: (row: T) => number): number {
  return rows.reduce((most, row) => Math.max(most, numberOf(row)), 0);
}

/** The words of a part, the first with what was typed of it. */
function wordsOf(typed: string, text: string): string[] {
  const words: string[] = [];
  const whole = typed + text;
  for (let at = 0; at < whole.length; at++) {
    const start = at;
    while (at < whole.length && isWordCode(whole.charCodeAt(at))) at++;
    if (start < at && at > typed.length) words.push(whole.slice(start, at));
  }
  return words;
}

function wordAtEnd(text: string): string {
  let start = text.length;
  while (start > 0 && isWordCode(text.charCodeAt(start - 1))) start--;
  return text.slice(start);
}

function isInFile({ vocabulary, view }: Sources, word: string): boolean {
  if (word === "") return false;
  for (const text of [word, ` ${word}`]) {
    const token = vocabulary.find(text);
    if (token !== HOLE && view.has(token)) return true;
  }
  return false;
}

function openBrackets(text: string): number {
  let open = 0;
  for (const character of text) {
    if ("([{".includes(character)) open++;
    else if (")]}".includes(character)) open--;
  }
  return open;
}
