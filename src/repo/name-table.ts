/**
 * Every distinct name or word once, as UTF-16 units in one arena; its id is its place in the order of
 * first use. A look-up hashes a range of the source text directly, so scanning allocates no strings.
 */
import { sharedInt32, sharedUint16 } from "./int-list.ts";

/** Frozen names: plain arrays, cheap to send to another thread. */
export interface NameData {
  /** UTF-16 units of all names, one after the other. */
  readonly arena: Uint16Array;
  /** Name i is `arena[offsets[i], offsets[i + 1])`; one more entry than names. */
  readonly offsets: Int32Array;
}

/** How a range of text is read: as it stands, or with ASCII capitals as small letters. */
type Reading = "exact" | "lower";

/** Names under construction. */
export class NameTable {
  #arena = new Uint16Array(1 << 16);
  #arenaLength = 0;
  #offsets = new Int32Array(1 << 12);
  /** Open-addressed: id + 1, 0 is empty. Its length is a power of two. */
  #table = new Int32Array(1 << 13);
  #hashes = new Int32Array(1 << 12);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Id of a name; a new one when it was not known. */
  intern(name: string): number {
    return this.internRange(name, 0, name.length, "exact");
  }

  /** Id of `text[start, end)`. */
  internRange(text: string, start: number, end: number, reading: Reading): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ read(text.charCodeAt(at), reading), 0x01000193);
    }
    hash ^= hash >>> 15;
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (; ; slot = (slot + 1) & mask) {
      const entry = this.#table[slot] as number;
      if (entry === 0) break;
      if (this.#hashes[entry - 1] !== hash) continue;
      const at = this.#offsets[entry - 1] as number;
      const length = (this.#offsets[entry] as number) - at;
      if (length !== end - start) continue;
      let i = 0;
      while (i < length && this.#arena[at + i] === read(text.charCodeAt(start + i), reading)) i++;
      if (i === length) return entry - 1;
    }
    return this.#add(text, start, end, reading, hash, slot);
  }

  /** The names so far, as arrays that threads share. */
  freeze(): NameData {
    const arena = sharedUint16(this.#arenaLength);
    arena.set(this.#arena.subarray(0, this.#arenaLength));
    const offsets = sharedInt32(this.#size + 1);
    offsets.set(this.#offsets.subarray(0, this.#size + 1));
    return { arena, offsets };
  }

  #add(
    text: string,
    start: number,
    end: number,
    reading: Reading,
    hash: number,
    slot: number,
  ): number {
    const length = end - start;
    const at = this.#arenaLength;
    if (at + length > this.#arena.length) {
      const grown = new Uint16Array(Math.max(at + length, this.#arena.length * 2));
      grown.set(this.#arena);
      this.#arena = grown;
    }
    for (let i = 0; i < length; i++) {
      this.#arena[at + i] = read(text.charCodeAt(start + i), reading);
    }
    this.#arenaLength = at + length;
    const id = this.#size++;
    if (id + 2 > this.#offsets.length) {
      this.#offsets = grownInt32(this.#offsets);
      this.#hashes = grownInt32(this.#hashes);
    }
    this.#offsets[id + 1] = this.#arenaLength;
    this.#hashes[id] = hash;
    this.#table[slot] = id + 1;
    if (this.#size * 2 > this.#table.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = (this.#hashes[id] as number) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = id + 1;
    }
    this.#table = table;
  }
}

/** Text of a name. */
export function nameText({ arena, offsets }: NameData, id: number): string {
  const start = offsets[id] as number;
  const end = offsets[id + 1] as number;
  let text = "";
  // In pieces: a call takes some thousand arguments at most.
  for (let at = start; at < end; at += 4096) {
    text += String.fromCharCode(...arena.subarray(at, Math.min(end, at + 4096)));
  }
  return text;
}

/** A table by which ids are found: id + 1 in each slot, 0 is empty. */
export function lookupTable({ arena, offsets }: NameData): Int32Array {
  const size = offsets.length - 1;
  let length = 16;
  while (length < size * 2) length *= 2;
  const table = sharedInt32(length);
  for (let id = 0; id < size; id++) {
    let hash = 0x811c9dc5;
    const end = offsets[id + 1] as number;
    for (let at = offsets[id] as number; at < end; at++) {
      hash = Math.imul(hash ^ (arena[at] as number), 0x01000193);
    }
    let slot = (hash ^ (hash >>> 15)) & (length - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (length - 1);
    table[slot] = id + 1;
  }
  return table;
}

/** Id of a name; -1 when it is not known. */
export function findName(names: NameData, table: Int32Array, name: string): number {
  const { arena, offsets } = names;
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  const mask = table.length - 1;
  for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    const id = (table[slot] as number) - 1;
    if (id < 0) return -1;
    const at = offsets[id] as number;
    if ((offsets[id + 1] as number) - at !== name.length) continue;
    let i = 0;
    while (i < name.length && arena[at + i] === name.charCodeAt(i)) i++;
    if (i === name.length) return id;
  }
}

function read(code: number, reading: Reading): number {
  return reading === "lower" && 65 <= code && code <= 90 ? code + 32 : code;
}

function grownInt32(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2);
  grown.set(array);
  return grown;
}
