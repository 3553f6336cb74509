import type { SymbolLookup } from "../core/index.ts";
import { BlockTokenCache, lexLines } from "./block-tokens.ts";
import { type Calibrator, defaultCalibrator } from "./calibrator.ts";
import {
  CandidateSearch,
  type Pool,
  type PooledCandidate,
  type RankedCandidate,
} from "./candidates.ts";
import { candidateFeatures } from "./features.ts";
import { FileView } from "./file-view.ts";
import { TokenMask } from "./index-search.ts";
import { detokenise, Lexer } from "./lexer.ts";
import { growBlock } from "./line-chain.ts";
import { emptyIndex, type LocalIndex } from "./local-index.ts";
import { newNameFactor, withoutNewNames } from "./new-names.ts";
import { defaultPartCalibrator } from "./part-calibrator.ts";
import { partFeatures } from "./part-features.ts";
import { findParts, firstLine, type Part } from "./part-search.ts";
import { RecentFiles } from "./recent-files.ts";
import type { Sources } from "./sources.ts";
import type { LocalCandidate, LocalQuery } from "./types.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A candidate and the numbers that its chance follows from. */
export interface RawCandidate {
  readonly text: string;
  /** In the order of `featureNames`. */
  readonly features: readonly number[];
}

/** From this chance of the best line on no part is looked for: no text needs a greater one. */
const SURE = 0.6;

/**
 * Least chance of a part. A wrong part costs a glance as a wrong line does and saves less when it is
 * right: from here on parts are taken as often as lines are (`midspan replay`).
 */
const LEAST_PART_CHANCE = 0.4;

/** How much a model holds. */
export interface LocalModelStats {
  readonly files: number;
  readonly tokens: number;
  /** Different tokens, new words of open documents included. */
  readonly vocabulary: number;
  /** Bytes of all arrays. */
  readonly bytes: number;
}

/**
 * The model without weights: it has read the workspace and proposes how lines go on.
 * Deterministic: the same index, updates and document give the same answer. Not shared between
 * threads; the index is. Budget of `complete`: 4 ms p50, 8 ms p95 with 5 million tokens.
 */
export class LocalModel {
  readonly #calibrator: Calibrator;
  readonly #partCalibrator: Calibrator;
  readonly #symbols: SymbolLookup | null;
  readonly #search = new CandidateSearch();
  readonly #mask = new TokenMask();
  readonly #removed = new Set<string>();
  #index: LocalIndex = emptyIndex;
  #fileNumbers: ReadonlyMap<string, number> = new Map();
  #vocabulary = new Vocabulary();
  #lexer = new Lexer(this.#vocabulary);
  #view = new FileView(this.#vocabulary, this.#lexer, new BlockTokenCache(this.#lexer));
  #recent = new RecentFiles();
  /** Path that the mask hides besides the files out of date; `undefined` when it must be made anew. */
  #maskedPath: string | null | undefined;
  #lexedBefore = 0;

  /** Calibrators default to those that ship; `symbols` know names beside those that were read. */
  constructor(
    options: {
      /** Of rests of lines. */
      readonly calibrator?: Calibrator;
      readonly partCalibrator?: Calibrator;
      readonly symbols?: SymbolLookup;
    } = {},
  ) {
    this.#calibrator = options.calibrator ?? defaultCalibrator;
    this.#partCalibrator = options.partCalibrator ?? defaultPartCalibrator;
    this.#symbols = options.symbols ?? null;
  }

  /** Files saved or removed since the index was built. Over about 200 a new index is worth it. */
  get deltaFiles(): number {
    return this.#recent.count + this.#removed.size;
  }

  /** UTF-16 units lexed by this model so far, by `complete` and `updateFile`. */
  get lexedUnits(): number {
    return this.#lexedBefore + this.#lexer.lexedUnits;
  }

  stats(): LocalModelStats {
    const { files, tokens, positions, buckets, vocabulary } = this.#index;
    const { arena, offsets, table } = vocabulary;
    const arrays = [tokens, positions, buckets, arena, offsets, table];
    const indexBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
    return {
      files: files.length,
      tokens: tokens.length,
      vocabulary: this.#vocabulary.size,
      bytes: indexBytes + this.#vocabulary.ownBytes + this.#recent.bytes,
    };
  }

  /** Takes an index in place of the one before. Updates that it does not hold stay in force. */
  adopt(index: LocalIndex): void {
    const before = this.#vocabulary;
    const recent = this.#recent;
    this.#lexedBefore = this.lexedUnits;
    this.#index = index;
    this.#fileNumbers = new Map(index.files.map((file, number) => [file.path, number]));
    this.#vocabulary = new Vocabulary(index.vocabulary);
    this.#lexer = new Lexer(this.#vocabulary);
    this.#view = new FileView(this.#vocabulary, this.#lexer, new BlockTokenCache(this.#lexer));
    this.#recent = new RecentFiles();
    this.#maskedPath = undefined;
    for (const path of recent.paths()) {
      const tokens = recent.tokensOf(path).map((token) => {
        const text = before.text(token);
        return text === "" ? token : this.#vocabulary.intern(text, 0, text.length);
      });
      if (!this.#isIndexed(path, tokens)) this.#recent.set(path, tokens);
    }
    for (const path of this.#removed) if (!this.#fileNumbers.has(path)) this.#removed.delete(path);
  }

  /** A file was saved: this text counts instead of what the index holds. */
  updateFile(path: string, text: string): void {
    this.#removed.delete(path);
    this.#maskedPath = undefined;
    const { tokens } = lexLines(this.#lexer, text, 0, text.length);
    if (this.#isIndexed(path, tokens)) this.#recent.delete(path);
    else this.#recent.set(path, tokens);
  }

  /** A file is gone: nothing of it is proposed any more. */
  removeFile(path: string): void {
    this.#recent.delete(path);
    if (this.#fileNumbers.has(path)) this.#removed.add(path);
    this.#maskedPath = undefined;
  }

  /**
   * How the line at the cursor may go on, likeliest first; empty when nothing was found. With
   * `maxLines` over 1 the best line may come as a block of several, right before the line alone.
   */
  complete(query: LocalQuery): readonly LocalCandidate[] {
    const { sources, pool } = this.#pool(query);
    const ranked = this.#rank(sources, pool);
    const texts = ranked.map(({ candidate, chance }) => singleLine(candidate, chance));
    const best = ranked[0];
    if (best !== undefined && query.maxLines > 1) {
      const block = growBlock({
        sources,
        pool,
        best,
        maxLines: query.maxLines,
        lineBreak: lineBreakOf(query),
        search: this.#search,
        rank: (below) => this.#rank(sources, below),
      });
      if (block !== null) texts.unshift(block);
    }
    const { maxCandidates, maxParts = 0 } = query;
    const parts = maxParts === 0 ? [] : this.#rankParts(sources, pool, ranked);
    return [...texts.slice(0, maxCandidates), ...parts.slice(0, maxParts)];
  }

  /** Parts in the order of the characters that they save on average. */
  #rankParts(sources: Sources, pool: Pool, ranked: readonly RankedCandidate[]): LocalCandidate[] {
    const parts = this.#partsOf(sources, pool, ranked);
    const features = partFeatures(sources, pool, ranked, parts);
    return parts
      .map((part, i) => ({ part, chance: this.#partCalibrator.chance(features[i] as number[]) }))
      .filter(({ chance }) => chance >= LEAST_PART_CHANCE)
      .sort((a, b) => savedBy(b) - savedBy(a) || (a.part.text < b.part.text ? -1 : 1))
      .map(({ part, chance }) => ({
        text: part.text,
        chance,
        extent: "part",
        origin: originOf(firstLine(part)),
        lines: 1,
      }));
  }

  /** The candidates of one line with their features, for fitting a calibrator. */
  rawCandidates(query: LocalQuery): RawCandidate[] {
    const { sources, pool } = this.#pool(query);
    const features = candidateFeatures(sources, pool);
    return pool.candidates.map(({ text }, i) => ({ text, features: features[i] as number[] }));
  }

  /** The parts of its lines with their features, for fitting a calibrator of parts. */
  rawParts(query: LocalQuery): RawCandidate[] {
    const { sources, pool } = this.#pool(query);
    const ranked = this.#rank(sources, pool);
    const parts = this.#partsOf(sources, pool, ranked);
    const features = partFeatures(sources, pool, ranked, parts);
    return parts.map(({ text }, i) => ({ text, features: features[i] as number[] }));
  }

  #pool(query: LocalQuery): { readonly sources: Sources; readonly pool: Pool } {
    this.#hide(query.path);
    const place = this.#view.show(query.document, query.offset);
    const sources = {
      vocabulary: this.#vocabulary,
      index: this.#index,
      mask: this.#mask,
      recent: this.#recent,
      view: this.#view,
    };
    const pool = this.#search.search(sources, place);
    const repeated = lineBelow(sources, pool);
    const start = lineStartOf(query);
    const candidates = pool.candidates.filter(
      ({ text }) => repeated === "" || (start + text).trim() !== repeated,
    );
    return { sources, pool: { ...pool, candidates } };
  }

  #rank(sources: Sources, pool: Pool): RankedCandidate[] {
    const features = candidateFeatures(sources, pool);
    const factors = pool.candidates.map(({ text }) =>
      newNameFactor(text, pool.place, sources, this.#symbols),
    );
    const chances = withoutNewNames(
      features.map((own) => this.#calibrator.chance(own)),
      factors,
    );
    return pool.candidates
      .map((candidate, i) => ({ candidate, chance: chances[i] as number }))
      .sort((a, b) => b.chance - a.chance || (a.candidate.text < b.candidate.text ? -1 : 1));
  }

  /** What may be a part; nothing beside a line that is sure. */
  #partsOf(sources: Sources, pool: Pool, ranked: readonly RankedCandidate[]): readonly Part[] {
    const best = ranked[0];
    if (best === undefined || best.chance >= SURE) return [];
    return findParts(sources, pool, ranked).filter(
      ({ text }) => newNameFactor(text, pool.place, sources, this.#symbols) === 1,
    );
  }

  #isIndexed(path: string, tokens: Int32Array): boolean {
    const number = this.#fileNumbers.get(path);
    if (number === undefined) return false;
    const start = this.#index.fileStarts[number] as number;
    const end = (this.#index.fileStarts[number + 1] as number) - 1;
    if (end - start !== tokens.length) return false;
    return tokens.every((token, i) => this.#index.tokens[start + i] === token);
  }

  /** Leaves the stored versions of a path and of all updated files out of the search. */
  #hide(path: string | null): void {
    if (this.#maskedPath === path) return;
    this.#maskedPath = path;
    const hidden = new Set([...this.#removed, ...this.#recent.paths()]);
    if (path !== null) hidden.add(path);
    const ranges: [number, number][] = [];
    for (const hiddenPath of hidden) {
      const number = this.#fileNumbers.get(hiddenPath);
      if (number === undefined) continue;
      const { fileStarts } = this.#index;
      ranges.push([fileStarts[number] as number, fileStarts[number + 1] as number]);
    }
    this.#mask.set(ranges);
    this.#recent.hide(path);
  }
}

/** Characters that a part saves on average: it costs the key that accepts it. */
function savedBy({ part, chance }: { readonly part: Part; readonly chance: number }): number {
  return chance * (part.text.length - 1);
}

function singleLine(candidate: PooledCandidate, chance: number): LocalCandidate {
  return { text: candidate.text, chance, extent: "rest", origin: originOf(candidate), lines: 1 };
}

function originOf(candidate: PooledCandidate): LocalCandidate["origin"] {
  if (candidate.composed === null) return "retrieval";
  const isFound = candidate.retrieved !== null || candidate.analogous !== null;
  return isFound ? "both" : "composition";
}

/** The cursor's line up to the cursor; `""` for a very long one. */
function lineStartOf(query: LocalQuery): string {
  const { line, column } = query.document.positionAt(query.offset);
  return column > 2000 ? "" : query.document.lineAt(line).slice(0, column);
}

/** The line break above the cursor, or below where it is on the first line. */
function lineBreakOf({ document, offset }: LocalQuery): string {
  const { line } = document.positionAt(offset);
  return document.lineAt(Math.max(0, line - 1)).endsWith("\r\n") ? "\r\n" : "\n";
}

/** The line below the cursor, trimmed; `""` when it is blank or text stands behind the cursor. */
function lineBelow(sources: Sources, pool: Pool): string {
  const { view, vocabulary } = sources;
  if (pool.lineEnd.hasRest) return "";
  let end = pool.place.suffixStart + 1;
  while (end < view.length && !pool.lineEnd.isLineBreak(view.tokens[end] as number)) end++;
  return detokenise(vocabulary, view.tokens.subarray(pool.place.suffixStart + 1, end), "").trim();
}
