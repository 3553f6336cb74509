/**
 * The stored form of a segment: magic, version, a table of contents as JSON, then the arrays as they
 * lie in memory (little-endian, aligned). Reading makes views into the bytes; a checksum and the bounds
 * of ids are read through, so that no file whatsoever leads a search out of its arrays.
 */
import {
  bytesOf,
  PACKED_ALIGNMENT,
  PackedReader,
  padded,
  textOfUnits,
  unitsOf,
} from "../base/packed-arrays.ts";
import { CompletionError } from "../core/index.ts";
import type { SegmentData, SegmentFile } from "./segment.ts";

/** Raise it whenever the words, the chunks or an array change: older files are then built anew. */
const FORMAT_VERSION = 1;
const MAGIC = 0x5247534d;
const HEADER_WORDS = 4;
const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

type Arrays = Omit<SegmentData, "files" | "names"> & {
  readonly arena: Uint16Array;
  readonly offsets: Int32Array;
};

/** Order and kind of the arrays in the file. */
const layout = {
  offsets: 4,
  definitionStarts: 4,
  definitionName: 4,
  definitionParent: 4,
  definitionLine: 4,
  signatureStarts: 4,
  referenceStarts: 4,
  referenceName: 4,
  chunkStarts: 4,
  chunkLine: 4,
  chunkEnd: 4,
  wordStarts: 4,
  wordName: 4,
  arena: 2,
  definitionKind: 1,
  signatures: 1,
  wordCount: 1,
} as const satisfies Record<keyof Arrays, 1 | 2 | 4>;

/** The bytes of a segment, in pieces to be written one after the other. */
export function encodeSegment(segment: SegmentData): Uint8Array[] {
  const { files, names, ...rest } = segment;
  const arrays: Arrays = { ...rest, arena: names.arena, offsets: names.offsets };
  const keys = arrayKeys();
  const contents = { files, lengths: keys.map((key) => arrays[key].length) };
  const table = unitsOf(JSON.stringify(contents));
  const pieces = [padded(bytesOf(table)), ...keys.map((key) => padded(bytesOf(arrays[key])))];
  const header = Int32Array.of(MAGIC, FORMAT_VERSION, table.length, checksum(pieces));
  return [bytesOf(header), ...pieces];
}

/**
 * A segment whose arrays are views into `bytes` (copied first where they are not aligned). Throws
 * `CompletionError` INDEX_CORRUPT when the bytes are not a whole segment of this version.
 */
export function decodeSegment(bytes: Uint8Array): SegmentData {
  if (!isLittleEndian) throw corrupt("this machine orders bytes the other way");
  const aligned = bytes.byteOffset % PACKED_ALIGNMENT === 0 ? bytes : bytes.slice();
  const headerBytes = HEADER_WORDS * 4;
  if (aligned.length < headerBytes || aligned.length % PACKED_ALIGNMENT !== 0) {
    throw corrupt(`${aligned.length} bytes are no index`);
  }
  const header = new Int32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  const [magic, version, tableLength = -1, stored] = header;
  if (magic !== MAGIC) throw corrupt("the first bytes are not those of an index");
  if (version !== FORMAT_VERSION) throw corrupt(`format version ${version}`);
  if (checksum([aligned.subarray(headerBytes)]) !== stored) {
    throw corrupt("the checksum does not agree");
  }
  const reader = new PackedReader(aligned, { start: headerBytes, fail: corrupt });
  const { files, lengths } = parseContents(reader.uint16(tableLength));
  const read = new Map<string, Int32Array | Uint16Array | Uint8Array>();
  for (const [i, key] of arrayKeys().entries()) {
    const length = lengths[i] ?? -1;
    const size = layout[key];
    read.set(
      key,
      size === 4 ? reader.int32(length) : size === 2 ? reader.uint16(length) : reader.uint8(length),
    );
  }
  if (!reader.isAtEnd) throw corrupt("there are more bytes than the lengths say");
  const words = (key: keyof Arrays): Int32Array => {
    const array = read.get(key);
    if (!(array instanceof Int32Array)) throw corrupt(`${key} is missing`);
    return array;
  };
  const bytesAt = (key: keyof Arrays): Uint8Array => {
    const array = read.get(key);
    if (!(array instanceof Uint8Array)) throw corrupt(`${key} is missing`);
    return array;
  };
  const arena = read.get("arena");
  const segment: SegmentData = {
    files,
    names: {
      arena: arena instanceof Uint16Array ? arena : new Uint16Array(0),
      offsets: words("offsets"),
    },
    definitionStarts: words("definitionStarts"),
    definitionName: words("definitionName"),
    definitionParent: words("definitionParent"),
    definitionKind: bytesAt("definitionKind"),
    definitionLine: words("definitionLine"),
    signatureStarts: words("signatureStarts"),
    signatures: bytesAt("signatures"),
    referenceStarts: words("referenceStarts"),
    referenceName: words("referenceName"),
    chunkStarts: words("chunkStarts"),
    chunkLine: words("chunkLine"),
    chunkEnd: words("chunkEnd"),
    wordStarts: words("wordStarts"),
    wordName: words("wordName"),
    wordCount: bytesAt("wordCount"),
  };
  checkBounds(segment);
  return segment;
}

function checkBounds(segment: SegmentData): void {
  const files = segment.files.length;
  const definitions = segment.definitionName.length;
  const chunks = segment.chunkLine.length;
  const names = segment.names.offsets.length - 1;
  checkStarts(segment.names.offsets, names, segment.names.arena.length);
  checkStarts(segment.definitionStarts, files, definitions);
  checkStarts(segment.signatureStarts, definitions, segment.signatures.length);
  checkStarts(segment.referenceStarts, files, segment.referenceName.length);
  checkStarts(segment.chunkStarts, files, chunks);
  checkStarts(segment.wordStarts, chunks, segment.wordName.length);
  checkIds(segment.definitionName, 0, names);
  checkIds(segment.definitionParent, -1, names);
  checkIds(segment.referenceName, 0, names);
  checkIds(segment.wordName, 0, names);
  const isEven =
    segment.definitionParent.length === definitions &&
    segment.definitionKind.length === definitions &&
    segment.definitionLine.length === definitions &&
    segment.chunkEnd.length === chunks &&
    segment.wordCount.length === segment.wordName.length;
  if (!isEven) throw corrupt("the arrays do not fit each other");
}

function checkStarts(starts: Int32Array, count: number, end: number): void {
  if (count < 0 || starts.length !== count + 1 || starts[0] !== 0 || starts[count] !== end) {
    throw corrupt("starts do not fit what they bound");
  }
  for (let i = 0; i < count; i++) {
    if ((starts[i + 1] as number) < (starts[i] as number)) throw corrupt("starts do not ascend");
  }
}

function checkIds(ids: Int32Array, least: number, end: number): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (id < least || end <= id) throw corrupt("a name is out of range");
  }
}

function parseContents(units: Uint16Array): {
  readonly files: SegmentFile[];
  readonly lengths: readonly number[];
} {
  let parsed: unknown;
  try {
    parsed = JSON.parse(textOfUnits(units));
  } catch (cause) {
    throw new CompletionError("INDEX_CORRUPT", "the table of contents is no JSON", { cause });
  }
  const { files, lengths } = { files: null, lengths: null, ...Object(parsed) };
  if (!Array.isArray(files) || !Array.isArray(lengths)) throw corrupt("there are no files");
  return {
    files: files.map((entry: unknown) => {
      const file = { path: "", hash: "", languageId: "", isNamesOnly: false, ...Object(entry) };
      const { path, hash, languageId } = file;
      const sizeBytes = Number(file.sizeBytes);
      const modifiedMs = Number(file.modifiedMs);
      if (typeof path !== "string" || typeof hash !== "string" || typeof languageId !== "string") {
        throw corrupt("a file has no path");
      }
      const isNamesOnly = file.isNamesOnly === true;
      return { path, hash, sizeBytes, modifiedMs, languageId, isNamesOnly };
    }),
    lengths: lengths.map(Number),
  };
}

function arrayKeys(): (keyof Arrays)[] {
  return Object.keys(layout).filter((key): key is keyof Arrays => key in layout);
}

function corrupt(what: string): CompletionError {
  return new CompletionError("INDEX_CORRUPT", `The stored symbols cannot be read: ${what}`);
}

/** FNV-like over 32-bit words. */
function checksum(pieces: readonly Uint8Array[]): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const piece of pieces) {
    const words = new Int32Array(piece.buffer, piece.byteOffset, piece.length >> 2);
    for (let i = 0; i < words.length; i += 2) {
      a = Math.imul(a ^ (words[i] as number), 0x01000193);
      b = Math.imul(b ^ (words[i + 1] as number), 0x01000193);
    }
  }
  return a ^ (b >>> 7) ^ (b << 3);
}
