/**
 * The stored form of an index: magic, version, lengths and a checksum, the table of files as JSON,
 * then the arrays as they lie in memory (little-endian, aligned). Reading makes views
 * into the bytes; only the checksum and the bounds of ids and places are read through, once.
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
import type { IndexedFile, LocalIndex } from "./local-index.ts";

/** Raise it whenever the lexer or an array changes: older files are then built anew. */
const INDEX_FORMAT_VERSION = 1;
const MAGIC = 0x5844494d;
const HEADER_WORDS = 12;
const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

/** The bytes of an index, in pieces to be written one after the other. */
export function encodeIndex(index: LocalIndex): Uint8Array[] {
  const { vocabulary } = index;
  const files = unitsOf(JSON.stringify(index.files));
  const lengths = [
    files.length,
    index.fileStarts.length,
    vocabulary.size,
    vocabulary.arena.length,
    vocabulary.table.length,
    index.tokens.length,
    index.positions.length,
  ];
  const header = new Int32Array(HEADER_WORDS);
  header.set([MAGIC, INDEX_FORMAT_VERSION, isLittleEndian ? 1 : 0, 0, ...lengths]);
  // A double would not survive as an Int32; the code is under 2 GB by the cap on files.
  header[HEADER_WORDS - 1] = index.codeBytes;
  const arrays = [
    files,
    index.fileStarts,
    vocabulary.offsets,
    vocabulary.table,
    index.tokens,
    index.positions,
    index.buckets,
    vocabulary.arena,
  ];
  const pieces = arrays.map((array) => padded(bytesOf(array)));
  header[3] = checksum([bytesOf(header), ...pieces]);
  return [bytesOf(header), ...pieces];
}

/**
 * An index whose arrays are views into `bytes` (copied first where they are not aligned).
 * Throws `CompletionError` INDEX_CORRUPT when the bytes are not a whole index of this version.
 */
export function decodeIndex(bytes: Uint8Array): LocalIndex {
  const aligned = bytes.byteOffset % PACKED_ALIGNMENT === 0 ? bytes : bytes.slice();
  const headerBytes = HEADER_WORDS * 4;
  if (aligned.length < headerBytes || aligned.length % PACKED_ALIGNMENT !== 0) {
    throw corrupt(`${aligned.length} bytes are no index`);
  }
  const header = new Int32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  if (header[0] !== MAGIC) throw corrupt("the first bytes are not those of an index");
  if (header[1] !== INDEX_FORMAT_VERSION) throw corrupt(`format version ${header[1]}`);
  if (header[2] !== (isLittleEndian ? 1 : 0)) throw corrupt("written on another kind of machine");
  const lengths = Array.from(header.subarray(4, 11));
  if (lengths.some((length) => length < 0)) throw corrupt("a length is negative");
  const [fileUnits, fileStartCount, size, arenaLength, tableLength, tokenCount, positionCount] =
    lengths as [number, number, number, number, number, number, number];

  const reader = new PackedReader(aligned, { start: headerBytes, fail: corrupt });
  const fileTable = reader.uint16(fileUnits);
  const index = {
    fileStarts: reader.int32(fileStartCount),
    vocabulary: {
      size,
      offsets: reader.int32(size + 1),
      table: reader.int32(tableLength),
      arena: new Uint16Array(0),
    },
    tokens: reader.int32(tokenCount),
    positions: reader.int32(positionCount),
    buckets: reader.int32(size + 1),
  };
  const arena = reader.uint16(arenaLength);
  if (!reader.isAtEnd) throw corrupt("there are more bytes than the lengths say");
  const stored = header[3];
  const zeroed = header.slice();
  zeroed[3] = 0;
  if (checksum([bytesOf(zeroed), aligned.subarray(headerBytes)]) !== stored) {
    throw corrupt("the checksum does not agree");
  }
  const whole: LocalIndex = {
    ...index,
    vocabulary: { ...index.vocabulary, arena },
    files: parseFiles(fileTable),
    codeBytes: header[HEADER_WORDS - 1] as number,
  };
  checkBounds(whole);
  return whole;
}

/**
 * What the search relies on. A checksum tells accidents only; these bounds make sure that no index
 * whatsoever leads a search out of its arrays.
 */
function checkBounds(index: LocalIndex): void {
  const { tokens, positions, buckets, fileStarts, vocabulary } = index;
  const { size, table, offsets, arena } = vocabulary;
  if (size < 2 || tokens.length < 1 || positions.length !== tokens.length - 1) {
    throw corrupt("the arrays do not fit each other");
  }
  if ((table.length & (table.length - 1)) !== 0 || table.length < size) {
    throw corrupt("the table of tokens has a wrong length");
  }
  if (tokens[0] !== 0) throw corrupt("the tokens do not begin with a separator");
  checkRange(tokens, 0, size - 1, "a token");
  checkRange(positions, 1, tokens.length - 1, "a position");
  checkRange(table, 0, size - 1, "an entry of the table");
  // A look-up walks on to the next free entry.
  if (!table.includes(0)) throw corrupt("the table of tokens is full");
  checkAscending(buckets, positions.length, "the buckets");
  checkAscending(offsets, arena.length, "the offsets");
  checkAscending(fileStarts, tokens.length, "the starts of files");
  if (fileStarts.length !== index.files.length + 1) throw corrupt("files are missing");
}

function checkRange(array: Int32Array, least: number, most: number, what: string): void {
  for (let i = 0; i < array.length; i++) {
    const value = array[i] as number;
    if (value < least || most < value) throw corrupt(`${what} is out of range`);
  }
}

function checkAscending(array: Int32Array, most: number, what: string): void {
  let last = 0;
  for (let i = 0; i < array.length; i++) {
    const value = array[i] as number;
    if (value < last) throw corrupt(`${what} do not ascend`);
    last = value;
  }
  if (last > most) throw corrupt(`${what} lead too far`);
}

function parseFiles(units: Uint16Array): IndexedFile[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(textOfUnits(units));
  } catch (cause) {
    throw new CompletionError("INDEX_CORRUPT", "the table of files is no JSON", { cause });
  }
  if (!Array.isArray(parsed)) throw corrupt("the table of files is no list");
  return parsed.map((entry: unknown) => {
    const file = { path: "", hash: "", sizeBytes: 0, modifiedMs: 0, ...Object(entry) };
    const { path, hash, sizeBytes, modifiedMs } = file;
    if (typeof path !== "string" || typeof hash !== "string") throw corrupt("a file has no path");
    return { path, hash, sizeBytes: Number(sizeBytes), modifiedMs: Number(modifiedMs) };
  });
}

function corrupt(what: string): CompletionError {
  return new CompletionError("INDEX_CORRUPT", `The stored index cannot be read: ${what}`);
}

/** FNV-like over 32-bit words, in four lanes that a processor can overlap. */
function checksum(pieces: readonly Uint8Array[]): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  let c = 0x2545f491;
  let d = 0x9e3779b9;
  for (const piece of pieces) {
    const words = new Int32Array(piece.buffer, piece.byteOffset, piece.length >> 2);
    for (let i = 0; i < words.length; i += 4) {
      a = Math.imul(a ^ (words[i] as number), 0x01000193);
      b = Math.imul(b ^ (words[i + 1] as number), 0x01000193);
      c = Math.imul(c ^ (words[i + 2] as number), 0x01000193);
      d = Math.imul(d ^ (words[i + 3] as number), 0x01000193);
    }
  }
  return Math.imul(a ^ (b >>> 7), 31) ^ Math.imul(c ^ (d >>> 11), 17) ^ b ^ (d << 3);
}
