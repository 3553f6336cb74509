/**
 * What is known of a set of files, in flat arrays: names, definitions, uses and chunks, each by file.
 * Threads share the arrays; nothing in them changes once they are made. What stands here is stored;
 * `SegmentIndex` derives the way back (from a name to its definitions and chunks) by counting sorts.
 */
import type { DefinitionKind } from "../syntax/index.ts";
import type { NameData } from "./name-table.ts";

/** A file of a segment. */
export interface SegmentFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** `hashText` of the text that was read. */
  readonly hash: string;
  /** As they were when it was read: while they are the same, it is not read again. */
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly languageId: string;
  /** Its names count, its text is never shown: a declaration file of a dependency. */
  readonly isNamesOnly: boolean;
}

/** The arrays. `xStarts[i]` and `xStarts[i + 1]` bound what belongs to i. */
export interface SegmentData {
  readonly files: readonly SegmentFile[];
  readonly names: NameData;
  readonly definitionStarts: Int32Array;
  readonly definitionName: Int32Array;
  /** Name of what it is a member of; -1 at the top. */
  readonly definitionParent: Int32Array;
  /** Place in `definitionKinds`, plus `EXPORTED`. */
  readonly definitionKind: Uint8Array;
  readonly definitionLine: Int32Array;
  readonly signatureStarts: Int32Array;
  /** UTF-8. */
  readonly signatures: Uint8Array;
  readonly referenceStarts: Int32Array;
  readonly referenceName: Int32Array;
  readonly chunkStarts: Int32Array;
  /** First line, and the line after the last. */
  readonly chunkLine: Int32Array;
  readonly chunkEnd: Int32Array;
  readonly wordStarts: Int32Array;
  readonly wordName: Int32Array;
  /** How often the chunk has the word, at most 255. */
  readonly wordCount: Uint8Array;
}

/** Added to a kind when other files can name the definition. */
export const EXPORTED = 128;

/** Kinds by number. Only append: the numbers are stored. */
export const definitionKinds: readonly DefinitionKind[] = [
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "constant",
  "variable",
  "module",
  "field",
];
