/**
 * The way back in a segment: from a name to its definitions, to the files that mention it and to the
 * chunks that hold it as a word. Made by counting sorts, so 1 million lines take a fraction of a second;
 * never stored. The arrays are shared between threads like those of the segment.
 */
import { sharedInt32 } from "./int-list.ts";
import { findName, lookupTable } from "./name-table.ts";
import type { SegmentData } from "./segment.ts";

/** Derived arrays. */
export interface SegmentIndexData {
  readonly data: SegmentData;
  readonly nameTable: Int32Array;
  /** By name: its definitions in order. */
  readonly definedStarts: Int32Array;
  readonly defined: Int32Array;
  /** By name: number of files that mention it. */
  readonly fileCounts: Int32Array;
  /** By name: its chunks, and how often each has it. */
  readonly postingStarts: Int32Array;
  readonly postings: Int32Array;
  readonly postingCounts: Uint8Array;
  /** By definition and by chunk: number of the file. */
  readonly definitionFile: Int32Array;
  readonly chunkFile: Int32Array;
  /** Words of all chunks together. */
  readonly totalWords: number;
  /** By chunk: number of its words. */
  readonly chunkWords: Int32Array;
}

/** Derives the arrays. O(size of the segment). */
export function indexSegment(data: SegmentData): SegmentIndexData {
  const names = data.names.offsets.length - 1;
  const chunks = data.chunkLine.length;
  const fileCounts = sharedInt32(names);
  for (let i = 0; i < data.referenceName.length; i++) bump(fileCounts, at(data.referenceName, i));

  const definedStarts = startsOf(data.definitionName, names);
  const defined = sharedInt32(data.definitionName.length);
  const next = definedStarts.slice();
  for (let i = 0; i < data.definitionName.length; i++) {
    const name = at(data.definitionName, i);
    defined[at(next, name)] = i;
    bump(next, name);
  }

  const postingStarts = startsOf(data.wordName, names);
  const postings = sharedInt32(data.wordName.length);
  const postingCounts = new Uint8Array(sharedInt32((data.wordName.length >> 2) + 1).buffer);
  next.set(postingStarts);
  const chunkWords = sharedInt32(chunks);
  let totalWords = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    let words = 0;
    for (let i = at(data.wordStarts, chunk); i < at(data.wordStarts, chunk + 1); i++) {
      const name = at(data.wordName, i);
      const slot = at(next, name);
      postings[slot] = chunk;
      const count = data.wordCount[i] as number;
      postingCounts[slot] = count;
      words += count;
      next[name] = slot + 1;
    }
    chunkWords[chunk] = words;
    totalWords += words;
  }
  return {
    data,
    nameTable: lookupTable(data.names),
    definedStarts,
    defined,
    fileCounts,
    postingStarts,
    postings,
    postingCounts,
    definitionFile: ownersOf(data.definitionStarts, data.definitionName.length),
    chunkFile: ownersOf(data.chunkStarts, chunks),
    totalWords,
    chunkWords,
  };
}

/** Id of a name in a segment; -1 when the segment does not have it. */
export function nameIdOf({ data, nameTable }: SegmentIndexData, name: string): number {
  return findName(data.names, nameTable, name);
}

function startsOf(values: Int32Array, count: number): Int32Array {
  const starts = sharedInt32(count + 1);
  for (let i = 0; i < values.length; i++) bump(starts, at(values, i) + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = at(starts, i + 1) + at(starts, i);
  return starts;
}

function ownersOf(starts: Int32Array, count: number): Int32Array {
  const owners = sharedInt32(count);
  for (let owner = 0; owner + 1 < starts.length; owner++) {
    owners.fill(owner, at(starts, owner), at(starts, owner + 1));
  }
  return owners;
}

function bump(array: Int32Array, index: number): void {
  array[index] = at(array, index) + 1;
}

function at(array: Int32Array, index: number): number {
  return array[index] as number;
}
