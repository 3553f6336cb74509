/**
 * Questions to all that is known of a workspace: a large segment, and a small one with the files that
 * changed since, which hide their older selves. Immutable; a change makes a new one.
 */
import type { SymbolLookup } from "../core/index.ts";
import type { DefinitionKind } from "../syntax/index.ts";
import { nameText } from "./name-table.ts";
import { definitionKinds, EXPORTED, type SegmentFile } from "./segment.ts";
import { nameIdOf, type SegmentIndexData } from "./segment-index.ts";
import { readUtf8 } from "./utf8.ts";

/** A segment and which of its files no longer count. */
export interface IndexPart {
  readonly index: SegmentIndexData;
  readonly hidden: ReadonlySet<number>;
}

/** A definition somewhere in the workspace. */
export interface FoundDefinition {
  readonly file: SegmentFile;
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly parent: string | null;
  readonly isExported: boolean;
  /** From 0. */
  readonly line: number;
  /** `""` for files of which only names count. */
  readonly signature: string;
}

/** A chunk that a search found. */
export interface FoundChunk {
  readonly file: SegmentFile;
  /** Lines `[line, endLine)`, from 0. */
  readonly line: number;
  readonly endLine: number;
  readonly score: number;
}

/** The usual constants of BM25 (Robertson and Zaragoza, 2009). */
const K1 = 1.2;
const B = 0.75;
/** A word that more chunks have tells nothing, and would cost most. */
const MAX_CHUNK_SHARE = 0.1;
/** Below this many chunks the share means nothing. */
const MIN_COMMON_CHUNKS = 50;
/** Definitions of one name beyond this many: the name is everywhere and tells nothing. */
const MAX_DEFINITIONS = 64;

/** Numbers of the files of a segment by path; made once, since a segment outlives many indexes. */
const placesOf = new WeakMap<SegmentIndexData, ReadonlyMap<string, number>>();

export class RepoIndex implements SymbolLookup {
  readonly #parts: readonly IndexPart[];
  #scores = new Float64Array(0);

  /** A path stands in one part only, where it is not hidden. */
  constructor(parts: readonly IndexPart[]) {
    this.#parts = parts;
  }

  /** Number of files. */
  get size(): number {
    return this.#parts.reduce((sum, { index, hidden }) => {
      return sum + index.data.files.length - hidden.size;
    }, 0);
  }

  /** The segments that it is made of. */
  get segments(): readonly SegmentIndexData[] {
    return this.#parts.map(({ index }) => index);
  }

  /** Definitions of all files. */
  get definitionCount(): number {
    return this.#parts.reduce((sum, { index }) => sum + index.defined.length, 0);
  }

  /** The file at a path; `null` when the index does not have it. */
  file(path: string): SegmentFile | null {
    const place = this.#placeOf(path);
    return place === null ? null : (place.index.data.files[place.file] ?? null);
  }

  /** Files that mention the identifier; hidden ones may be among them. 0 when it does not exist. */
  fileCount(identifier: string): number {
    let count = 0;
    for (const { index } of this.#parts) {
      const name = nameIdOf(index, identifier);
      if (name >= 0) count += index.fileCounts[name] as number;
    }
    return count;
  }

  /** Definitions of a name, at most 64; `[]` when there is none. */
  definitions(name: string): FoundDefinition[] {
    const found: FoundDefinition[] = [];
    for (const part of this.#parts) {
      const { index } = part;
      const id = nameIdOf(index, name);
      if (id < 0) continue;
      const end = index.definedStarts[id + 1] as number;
      for (let i = index.definedStarts[id] as number; i < end; i++) {
        const definition = index.defined[i] as number;
        if (part.hidden.has(index.definitionFile[definition] as number)) continue;
        found.push(definitionAt(index, definition));
        if (found.length === MAX_DEFINITIONS) return found;
      }
    }
    return found;
  }

  /**
   * Definitions of one file in order: members of `parent`, or what stands at the top (`null`); of that
   * name where one is given. `[]` for unknown files and names.
   */
  definitionsIn(
    path: string,
    wanted: { readonly parent: string | null; readonly name: string | null },
  ): FoundDefinition[] {
    const place = this.#placeOf(path);
    if (place === null) return [];
    const { index } = place;
    const { data } = index;
    const parent = wanted.parent === null ? -1 : nameIdOf(index, wanted.parent);
    const name = wanted.name === null ? null : nameIdOf(index, wanted.name);
    if (name === -1 || (parent === -1 && wanted.parent !== null)) return [];
    const found: FoundDefinition[] = [];
    const end = data.definitionStarts[place.file + 1] as number;
    for (let i = data.definitionStarts[place.file] as number; i < end; i++) {
      if (data.definitionParent[i] !== parent) continue;
      if (name === null || data.definitionName[i] === name) found.push(definitionAt(index, i));
    }
    return found;
  }

  /**
   * The chunks that share the most telling words with the query, best first; BM25 with a weight for
   * each word. Files that `isWanted` refuses are left out.
   */
  search(
    words: ReadonlyMap<string, number>,
    options: { readonly count: number; readonly isWanted: (file: SegmentFile) => boolean },
  ): FoundChunk[] {
    const best: FoundChunk[] = [];
    for (const part of this.#parts) this.#searchPart(part, words, options, best);
    return best;
  }

  /** All chunks of the files that count, in the order of files. */
  *chunks(): Generator<Omit<FoundChunk, "score">> {
    for (const { index, hidden } of this.#parts) {
      const { files, chunkLine, chunkEnd } = index.data;
      for (let chunk = 0; chunk < chunkLine.length; chunk++) {
        const number = index.chunkFile[chunk] as number;
        const file = files[number];
        if (file === undefined || hidden.has(number)) continue;
        yield { file, line: chunkLine[chunk] as number, endLine: chunkEnd[chunk] as number };
      }
    }
  }

  #placeOf(path: string): { readonly index: SegmentIndexData; readonly file: number } | null {
    for (const { index, hidden } of this.#parts) {
      let places = placesOf.get(index);
      if (places === undefined) {
        places = new Map(index.data.files.map((file, number) => [file.path, number]));
        placesOf.set(index, places);
      }
      const file = places.get(path);
      if (file !== undefined && !hidden.has(file)) return { index, file };
    }
    return null;
  }

  #searchPart(
    { index, hidden }: IndexPart,
    words: ReadonlyMap<string, number>,
    options: { readonly count: number; readonly isWanted: (file: SegmentFile) => boolean },
    best: FoundChunk[],
  ): void {
    const { data } = index;
    const chunks = data.chunkLine.length;
    if (chunks === 0) return;
    if (this.#scores.length < chunks) this.#scores = new Float64Array(chunks);
    const scores = this.#scores;
    const touched: number[] = [];
    const meanWords = Math.max(1, index.totalWords / chunks);
    const mostChunks = Math.max(MIN_COMMON_CHUNKS, chunks * MAX_CHUNK_SHARE);
    for (const [word, weight] of words) {
      const id = nameIdOf(index, word);
      if (id < 0) continue;
      const start = index.postingStarts[id] as number;
      const end = index.postingStarts[id + 1] as number;
      const inChunks = end - start;
      if (inChunks === 0 || inChunks > mostChunks) continue;
      const idf = Math.log(1 + (chunks - inChunks + 0.5) / (inChunks + 0.5));
      for (let i = start; i < end; i++) {
        const chunk = index.postings[i] as number;
        const count = index.postingCounts[i] as number;
        const length = 1 - B + (B * (index.chunkWords[chunk] as number)) / meanWords;
        if (scores[chunk] === 0) touched.push(chunk);
        scores[chunk] =
          (scores[chunk] as number) + (weight * idf * count * (K1 + 1)) / (count + K1 * length);
      }
    }
    for (const chunk of touched) {
      const score = scores[chunk] as number;
      scores[chunk] = 0;
      const last = best[options.count - 1];
      if (last !== undefined && last.score >= score) continue;
      const fileNumber = index.chunkFile[chunk] as number;
      const file = data.files[fileNumber];
      if (file === undefined || hidden.has(fileNumber) || !options.isWanted(file)) continue;
      const line = data.chunkLine[chunk] as number;
      const found = { file, line, endLine: data.chunkEnd[chunk] as number, score };
      const place = best.findIndex((other) => other.score < score);
      best.splice(place < 0 ? best.length : place, 0, found);
      if (best.length > options.count) best.pop();
    }
  }
}

function definitionAt(index: SegmentIndexData, i: number): FoundDefinition {
  const { data } = index;
  const file = data.files[index.definitionFile[i] as number];
  if (file === undefined) throw new RangeError(`definition ${i} belongs to no file`);
  const parent = data.definitionParent[i] as number;
  const kind = data.definitionKind[i] as number;
  return {
    file,
    name: nameText(data.names, data.definitionName[i] as number),
    kind: definitionKinds[kind & (EXPORTED - 1)] ?? "variable",
    parent: parent < 0 ? null : nameText(data.names, parent),
    isExported: kind >= EXPORTED,
    line: data.definitionLine[i] as number,
    signature: readUtf8(
      data.signatures,
      data.signatureStarts[i] as number,
      data.signatureStarts[i + 1] as number,
    ),
  };
}
