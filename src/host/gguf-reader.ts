/**
 * Little-endian values of a GGUF file, read forwards through a window of the file. Every length that
 * the file states is checked against a bound before anything of that size is kept.
 */
import type { FileHandle } from "node:fs/promises";
import { damaged } from "./gguf-error.ts";

/** Kinds of metadata values, by their number in the file (gguf-py, `GGUFValueType`). */
export const ggufKinds = {
  uint8: 0,
  int8: 1,
  uint16: 2,
  int16: 3,
  uint32: 4,
  int32: 5,
  float32: 6,
  bool: 7,
  string: 8,
  array: 9,
  uint64: 10,
  int64: 11,
  float64: 12,
} as const;

const sizes: Readonly<Record<number, number>> = {
  [ggufKinds.uint8]: 1,
  [ggufKinds.int8]: 1,
  [ggufKinds.uint16]: 2,
  [ggufKinds.int16]: 2,
  [ggufKinds.uint32]: 4,
  [ggufKinds.int32]: 4,
  [ggufKinds.float32]: 4,
  [ggufKinds.bool]: 1,
  [ggufKinds.uint64]: 8,
  [ggufKinds.int64]: 8,
  [ggufKinds.float64]: 8,
};

/** How much of the file is read at once. */
const WINDOW_BYTES = 256 * 1024;

/** A chat template may have 100 kB; nothing that is kept is longer than this. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Metadata with a vocabulary of 256,000 tokens and its merges has 12 MB. */
const MAX_HEADER_BYTES = 512 * 1024 * 1024;

export class GgufReader {
  readonly #file: FileHandle;
  readonly #path: string;
  #window: Buffer = Buffer.alloc(0);
  /** Where the window begins in the file, and where in the window the next value is. */
  #start = 0;
  #next = 0;

  constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#start + this.#next;
  }

  async bytes(count: number): Promise<Buffer> {
    await this.#need(count);
    const bytes = this.#window.subarray(this.#next, this.#next + count);
    this.#next += count;
    return bytes;
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  /** A count or a size. Throws when it is more than `max`. */
  async count(max: number, what: string): Promise<number> {
    const value = (await this.bytes(8)).readBigUInt64LE();
    if (value > BigInt(max)) throw damaged(this.#path, `it claims ${value} ${what}`);
    return Number(value);
  }

  async text(): Promise<string> {
    const length = await this.count(MAX_TEXT_BYTES, "bytes in one text");
    return (await this.bytes(length)).toString("utf8");
  }

  /**
   * Calls `visit` with the bytes of each of `count` texts, which are valid during the call only.
   * A vocabulary has 150,000 of them: nothing is awaited between those of one window.
   */
  async eachText(count: number, visit: (bytes: Buffer, index: number) => void): Promise<void> {
    for (let index = 0; index < count; index++) {
      if (this.#window.length - this.#next < 8) await this.#need(8);
      const length = this.#window.readUInt32LE(this.#next);
      const isLong = this.#window.readUInt32LE(this.#next + 4) > 0 || length > MAX_TEXT_BYTES;
      if (isLong) throw damaged(this.#path, "a text in a list has no end");
      this.#next += 8;
      if (this.#window.length - this.#next < length) await this.#need(length);
      visit(this.#window.subarray(this.#next, this.#next + length), index);
      this.#next += length;
    }
  }

  /** A number or a boolean as a number; 64-bit integers lose what a double cannot hold. */
  async number(kind: number): Promise<number> {
    const bytes = await this.bytes(this.sizeOf(kind));
    switch (kind) {
      case ggufKinds.uint8:
      case ggufKinds.bool:
        return bytes.readUInt8();
      case ggufKinds.int8:
        return bytes.readInt8();
      case ggufKinds.uint16:
        return bytes.readUInt16LE();
      case ggufKinds.int16:
        return bytes.readInt16LE();
      case ggufKinds.uint32:
        return bytes.readUInt32LE();
      case ggufKinds.int32:
        return bytes.readInt32LE();
      case ggufKinds.float32:
        return bytes.readFloatLE();
      case ggufKinds.uint64:
        return Number(bytes.readBigUInt64LE());
      case ggufKinds.int64:
        return Number(bytes.readBigInt64LE());
      default:
        return bytes.readDoubleLE();
    }
  }

  /** Bytes of a value of fixed size. */
  sizeOf(kind: number): number {
    const size = sizes[kind];
    if (size === undefined) throw damaged(this.#path, `it has a value of the unknown kind ${kind}`);
    return size;
  }

  async skip(count: number): Promise<void> {
    const inWindow = Math.min(count, this.#window.length - this.#next);
    this.#next += inWindow;
    if (inWindow === count) return;
    this.#start = this.offset + count - inWindow;
    this.#next = 0;
    this.#window = Buffer.alloc(0);
    this.#checkLength();
  }

  /** Makes sure that the window holds `count` more bytes. */
  async #need(count: number): Promise<void> {
    const left = this.#window.length - this.#next;
    if (left >= count) return;
    const wanted = Math.max(WINDOW_BYTES, count);
    const window = Buffer.allocUnsafe(wanted);
    this.#window.copy(window, 0, this.#next);
    this.#start += this.#next;
    this.#next = 0;
    let filled = left;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(
        window,
        filled,
        wanted - filled,
        this.#start + filled,
      );
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#window = window.subarray(0, filled);
    this.#checkLength();
    if (filled < count) throw damaged(this.#path, "it ends inside its header");
  }

  #checkLength(): void {
    if (this.#start > MAX_HEADER_BYTES) throw damaged(this.#path, "its header has no end");
  }
}
