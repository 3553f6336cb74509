/** What the model knows of a workspace: plain data, so that a worker can build it and hand it over. */
import { emptyVocabulary, SEPARATOR, type VocabularyData } from "./vocabulary.ts";

/** A file as the index knows it. The hash is the caller's; equal hashes mean equal content. */
export interface IndexedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/**
 * Immutable. The arrays lie in shared memory where the host has it: `postMessage` then copies the
 * table of files only. Invariant: `tokens` begins with a separator and has one behind every file.
 */
export interface LocalIndex {
  /** In the order they were added. */
  readonly files: readonly IndexedFile[];
  /** File i is `tokens[fileStarts[i], fileStarts[i + 1] - 1)`; one more entry than files. */
  readonly fileStarts: Int32Array;
  readonly vocabulary: VocabularyData;
  readonly tokens: Int32Array;
  /** Places in `tokens`, sorted by reversed left context; see `sortPositions`. */
  readonly positions: Int32Array;
  /** Positions behind token t are `positions[buckets[t], buckets[t + 1])`. */
  readonly buckets: Int32Array;
  /** Bytes of code in all files, as the files say. */
  readonly codeBytes: number;
}

/** No files. */
export const emptyIndex: LocalIndex = {
  files: [],
  fileStarts: Int32Array.of(1),
  vocabulary: emptyVocabulary,
  tokens: Int32Array.of(SEPARATOR),
  positions: new Int32Array(0),
  buckets: new Int32Array(3),
  codeBytes: 0,
};
