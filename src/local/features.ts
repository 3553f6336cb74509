/** Numbers that tell a right candidate from a wrong one. The calibrator is fitted on them. */

import type { Pool, PooledCandidate } from "./candidates.ts";
import { bracketStep } from "./cursor-query.ts";
import { isNewline } from "./lexer.ts";
import type { Sources } from "./sources.ts";
import { SEPARATOR, TokenKind } from "./vocabulary.ts";

/** Names of the features, in the order of `candidateFeatures`. */
export const featureNames = [
  "isComposed",
  "composedLogChance",
  "composedWeakest",
  "composedLogLead",
  "isRetrieved",
  "share",
  "shareLead",
  "leftShare",
  "leftShareLead",
  "left",
  "right",
  "shareTimesLeft",
  "places",
  "placesInFile",
  "distance",
  "exchangeable",
  "isAnalogous",
  "analogyShare",
  "analogyLeft",
  "analogyRight",
  "analogyAligned",
  "analogyPlaces",
  "analogyPlacesInFile",
  "bestAnalogyShare",
  "suffixFit",
  "suffixFitLead",
  "endChance",
  "units",
  "tokens",
  "longestInIndex",
  "longestInFile",
  "continuations",
  "isAtLineStart",
  "isInWord",
  "isWordFinished",
  "wordUnits",
  "readingLogChance",
  "hasRest",
  "bracketBalance",
  "endsOpen",
  "endsClosed",
  "knownInFile",
  "isUnanimous",
  "equalsLineAbove",
  "lineTokens",
  "indentStepBelow",
] as const;

const LEAST_LOG_CHANCE = -12;
const LEAST_SUFFIX_FIT = -40;

/** Features of every candidate of a pool. */
export function candidateFeatures(sources: Sources, pool: Pool): number[][] {
  const { candidates, place } = pool;
  const shares = best(candidates.map((candidate) => candidate.retrieved?.share ?? 0));
  const leftShares = best(candidates.map((candidate) => candidate.retrieved?.leftShare ?? 0));
  const logChances = best(candidates.map(logChanceOf));
  const fits = best(candidates.map((candidate) => candidate.suffixFit));
  const bestAnalogy = Math.max(0, ...candidates.map(({ analogous }) => analogous?.share ?? 0));
  const stepBelow = indentStepBelow(sources, pool);
  const lineAbove = lineBefore(sources, pool);
  return candidates.map((candidate, i) => {
    const { composed, retrieved, analogous, reading, text } = candidate;
    const logChance = logChanceOf(candidate);
    const share = retrieved?.share ?? 0;
    const leftShare = retrieved?.leftShare ?? 0;
    const left = Math.min(retrieved?.left ?? 0, 16);
    const places = retrieved?.places ?? 0;
    const last = text.charCodeAt(text.length - 1);
    return [
      composed === null ? 0 : 1,
      logChance,
      Math.log(0.02 + (composed?.weakest ?? 0)),
      logChance - logChances.otherThan(i),
      retrieved === null ? 0 : 1,
      share,
      share - shares.otherThan(i),
      leftShare,
      leftShare - leftShares.otherThan(i),
      left / 16,
      Math.min(retrieved?.right ?? 0, 8) / 8,
      (share * left) / 16,
      Math.log(1 + places),
      Math.log(1 + (retrieved?.placesInFile ?? 0)),
      logDistance(retrieved?.distance ?? Number.POSITIVE_INFINITY),
      retrieved?.exchangeable ?? 0,
      analogous === null ? 0 : 1,
      analogous?.share ?? 0,
      Math.min(analogous?.left ?? 0, 16) / 16,
      Math.min(analogous?.right ?? 0, 8) / 8,
      Math.min(analogous?.aligned ?? 0, 24) / 24,
      Math.log(1 + (analogous?.places ?? 0)),
      Math.log(1 + (analogous?.placesInFile ?? 0)),
      bestAnalogy,
      Math.max(candidate.suffixFit, LEAST_SUFFIX_FIT) / 10,
      (candidate.suffixFit - fits.otherThan(i)) / 10,
      candidate.endChance,
      Math.log(1 + text.trim().length),
      candidate.tokens.length / 10,
      Math.min(pool.longestInIndex, 16) / 16,
      Math.min(pool.longestInFile, 16) / 16,
      Math.log(1 + pool.continuations),
      place.atLineStart && place.word === "" ? 1 : 0,
      reading.kind === "unfinished" && reading.word !== "" ? 1 : 0,
      reading.kind === "finished" ? 1 : 0,
      Math.min(place.word.trim().length, 8) / 8,
      Math.max(candidate.readingLogChance, -5),
      place.hasRest ? 1 : 0,
      bracketBalance(sources, candidate),
      isOpening(last) ? 1 : 0,
      isClosing(last) ? 1 : 0,
      knownShare(sources, candidate),
      share > 0.9 && places >= 3 ? 1 : 0,
      text.trim() === lineAbove ? 1 : 0,
      Math.min(place.hole - place.lineToken - 1, 20) / 10,
      stepBelow,
    ];
  });
}

function logChanceOf(candidate: PooledCandidate): number {
  const own = candidate.composed?.logChance ?? LEAST_LOG_CHANCE;
  return Math.max(own + candidate.readingLogChance, LEAST_LOG_CHANCE);
}

/** The best of a list but one. */
function best(values: readonly number[]): { otherThan(index: number): number } {
  let first = -1;
  let second = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (first < 0 || value > (values[first] as number)) {
      second = first;
      first = i;
    } else if (second < 0 || value > (values[second] as number)) second = i;
  }
  return {
    otherThan: (index) => {
      const other = index === first ? second : first;
      return other < 0 ? Math.min(0, values[index] as number) : (values[other] as number);
    },
  };
}

/** 0 right at the cursor, 1 for what is far away or in another file. */
function logDistance(distance: number): number {
  return Math.min(1, Math.log(1 + distance) / 12);
}

/** Whether the line below is indented more (1), less (-1) or as much (0) as the cursor's. */
function indentStepBelow({ vocabulary }: Sources, pool: Pool): number {
  const newline = pool.lineEnd.hasRest ? SEPARATOR : (pool.lineEnd.suffix[0] ?? SEPARATOR);
  if (newline === SEPARATOR || vocabulary.lengthOf(newline) < 2) return 0;
  if (vocabulary.lengthOf(newline) > 2) return 1;
  return vocabulary.codeAt(newline, 1) === 0 ? 0 : -1;
}

function bracketBalance(sources: Sources, candidate: PooledCandidate): number {
  let balance = 0;
  for (const token of candidate.tokens) balance += bracketStep(sources.vocabulary, token);
  return Math.max(-3, Math.min(3, balance)) / 3;
}

/** `{`, `(`, `[`, `:`, `,` or `=`: the statement goes on below. */
function isOpening(code: number): boolean {
  return code === 123 || code === 40 || code === 91 || code === 58 || code === 44 || code === 61;
}

/** `;`, `)`, `]` or `}`. */
function isClosing(code: number): boolean {
  return code === 59 || code === 41 || code === 93 || code === 125;
}

/** Share of the candidate's words that stand in the open document. */
function knownShare(sources: Sources, candidate: PooledCandidate): number {
  let words = 0;
  let known = 0;
  for (const token of candidate.tokens) {
    if (sources.vocabulary.kindOf(token) !== TokenKind.word) continue;
    words++;
    if (sources.view.has(token)) known++;
  }
  return words === 0 ? 1 : known / words;
}

/** The nearest line above the cursor that is not blank, trimmed. */
function lineBefore(sources: Sources, pool: Pool): string {
  const { tokens } = sources.view;
  let end = pool.place.hole;
  while (end > 0 && !isNewline(sources.vocabulary, tokens[end - 1] as number)) end--;
  end--;
  let start = end;
  while (start > 0 && !isNewline(sources.vocabulary, tokens[start - 1] as number)) start--;
  let text = "";
  for (let at = Math.max(start, end - 64); at < end; at++) {
    text += sources.vocabulary.text(tokens[at] as number);
  }
  return text.trim();
}
