/**
 * Every distinct token once, as UTF-16 units in one arena; a token's id is its place in the order of
 * first use. Look-up hashes a range of the source text directly, so lexing allocates no strings.
 * A vocabulary can lie on top of the frozen one of an index: ids below `base.size` belong to the
 * index, new words of open documents get ids above.
 */
import { isWordCode } from "../base/text.ts";
import { sharedInt32, sharedUint16 } from "./shared-memory.ts";

/** Borders of files in a token stream: no context reaches across. */
export const SEPARATOR = 0;
/** Where the text at the cursor is missing: nothing is known about what stands here. */
export const HOLE = 1;

/** A frozen vocabulary: plain arrays, cheap to send to another thread. */
export interface VocabularyData {
  /** Number of tokens, the two reserved ones included. */
  readonly size: number;
  /** UTF-16 units of all tokens, one after the other. */
  readonly arena: Uint16Array;
  /** Token i is `arena[offsets[i], offsets[i + 1])`. */
  readonly offsets: Int32Array;
  /** Open-addressed hash table of ids; 0 is empty. Its length is a power of two. */
  readonly table: Int32Array;
}

/** No tokens but the reserved ones. */
export const emptyVocabulary: VocabularyData = {
  size: 2,
  arena: new Uint16Array(0),
  offsets: new Int32Array(3),
  table: new Int32Array(2),
};

/** What the search has to tell apart. Brackets count with a space before them too. */
export const TokenKind = {
  newline: 1,
  opening: 2,
  closing: 3,
  /** Ends in a letter, digit or `_`. */
  word: 4,
  other: 5,
} as const;

export class Vocabulary {
  readonly #base: VocabularyData;
  #arena = new Uint16Array(4096);
  #arenaLength = 0;
  #offsets = new Int32Array(512);
  #table = new Int32Array(1024);
  #own = 0;
  /** `TokenKind` by id, 0 where not asked for yet. */
  #kinds = new Uint8Array(1024);

  constructor(base: VocabularyData = emptyVocabulary) {
    this.#base = base;
  }

  /** Number of ids: every id is below it. */
  get size(): number {
    return this.#base.size + this.#own;
  }

  /** Bytes of the arrays that this vocabulary owns beyond its base. */
  get ownBytes(): number {
    return this.#arena.byteLength + this.#offsets.byteLength + this.#table.byteLength;
  }

  /** Id of `text[start, end)`; a new one when the token was not known. The range is not empty. */
  intern(text: string, start: number, end: number): number {
    const hash = hashText(text, start, end);
    const known = this.#find(text, start, end - start, hash);
    return known === HOLE ? this.#add(text, start, end - start, hash) : known;
  }

  /** Id of a token; `HOLE` when it is not known. */
  find(text: string): number {
    return this.#find(text, 0, text.length, hashText(text, 0, text.length));
  }

  /** Number of UTF-16 units of a token. */
  lengthOf(id: number): number {
    const base = this.#base;
    if (id < base.size) return (base.offsets[id + 1] as number) - (base.offsets[id] as number);
    const own = id - base.size;
    return (this.#offsets[own + 1] as number) - (this.#offsets[own] as number);
  }

  /** UTF-16 unit `index` of a token; -1 behind its end. */
  codeAt(id: number, index: number): number {
    const base = this.#base;
    if (id < base.size) {
      const at = (base.offsets[id] as number) + index;
      return at < (base.offsets[id + 1] as number) ? (base.arena[at] as number) : -1;
    }
    const own = id - base.size;
    const at = (this.#offsets[own] as number) + index;
    return at < (this.#offsets[own + 1] as number) ? (this.#arena[at] as number) : -1;
  }

  /** One of `TokenKind`. */
  kindOf(id: number): number {
    const known = this.#kinds[id];
    if (known !== undefined && known !== 0) return known;
    if (id >= this.#kinds.length) {
      const grown = new Uint8Array(Math.max(this.size, id + 1) * 2);
      grown.set(this.#kinds);
      this.#kinds = grown;
    }
    const kind = this.#findKind(id);
    this.#kinds[id] = kind;
    return kind;
  }

  /** The token as the lexer stored it; see `detokenise` for the text of a newline token. */
  text(id: number): string {
    const length = this.lengthOf(id);
    let text = "";
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.codeAt(id, i));
    return text;
  }

  /** True when the token begins with `prefix`; equality included. */
  startsWith(id: number, prefix: string): boolean {
    if (this.lengthOf(id) < prefix.length) return false;
    for (let i = 0; i < prefix.length; i++) {
      if (this.codeAt(id, i) !== prefix.charCodeAt(i)) return false;
    }
    return true;
  }

  /** All tokens, base included, as shared arrays. */
  freeze(): VocabularyData {
    const base = this.#base;
    const size = this.size;
    const baseLength = base.offsets[base.size] as number;
    const arena = sharedUint16(baseLength + this.#arenaLength);
    arena.set(base.arena.subarray(0, baseLength));
    arena.set(this.#arena.subarray(0, this.#arenaLength), baseLength);
    const offsets = sharedInt32(size + 1);
    offsets.set(base.offsets.subarray(0, base.size + 1));
    for (let own = 1; own <= this.#own; own++) {
      offsets[base.size + own] = baseLength + (this.#offsets[own] as number);
    }
    const table = sharedInt32(tableLength(size));
    for (let id = 2; id < size; id++) {
      insert(table, id, hashOf(arena, offsets[id] as number, offsets[id + 1] as number));
    }
    return { size, arena, offsets, table };
  }

  #find(text: string, start: number, length: number, hash: number): number {
    const base = this.#base;
    const mask = base.table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = base.table[slot] as number;
      if (id === 0) break;
      const at = base.offsets[id] as number;
      if ((base.offsets[id + 1] as number) - at !== length) continue;
      let i = 0;
      while (i < length && base.arena[at + i] === text.charCodeAt(start + i)) i++;
      if (i === length) return id;
    }
    const ownMask = this.#table.length - 1;
    for (let slot = hash & ownMask; ; slot = (slot + 1) & ownMask) {
      const entry = this.#table[slot] as number;
      if (entry === 0) return HOLE;
      const at = this.#offsets[entry - 1] as number;
      if ((this.#offsets[entry] as number) - at !== length) continue;
      let i = 0;
      while (i < length && this.#arena[at + i] === text.charCodeAt(start + i)) i++;
      if (i === length) return base.size + entry - 1;
    }
  }

  #findKind(id: number): number {
    const first = this.codeAt(id, 0);
    const code = first === 32 && this.lengthOf(id) === 2 ? this.codeAt(id, 1) : first;
    if (code === 10) return TokenKind.newline;
    if (code === 40 || code === 91 || code === 123) return TokenKind.opening;
    if (code === 41 || code === 93 || code === 125) return TokenKind.closing;
    const last = this.codeAt(id, this.lengthOf(id) - 1);
    return isWordCode(last) ? TokenKind.word : TokenKind.other;
  }

  #add(text: string, start: number, length: number, hash: number): number {
    const at = this.#arenaLength;
    if (at + length > this.#arena.length) {
      const grown = new Uint16Array(Math.max(at + length, this.#arena.length * 2));
      grown.set(this.#arena);
      this.#arena = grown;
    }
    for (let i = 0; i < length; i++) this.#arena[at + i] = text.charCodeAt(start + i);
    this.#arenaLength = at + length;
    const own = this.#own++;
    if (own + 2 > this.#offsets.length) {
      const grown = new Int32Array(this.#offsets.length * 2);
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
    this.#offsets[own + 1] = this.#arenaLength;
    // The table holds own indices plus one, so that 0 stays the mark of an empty slot.
    insert(this.#table, own + 1, hash);
    if (this.#own * 2 > this.#table.length) this.#rehash();
    return this.#base.size + own;
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2);
    for (let own = 0; own < this.#own; own++) {
      const hash = hashOf(
        this.#arena,
        this.#offsets[own] as number,
        this.#offsets[own + 1] as number,
      );
      insert(table, own + 1, hash);
    }
    this.#table = table;
  }
}

function hashText(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** The same for units of an arena. */
function hashOf(arena: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (arena[i] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

function insert(table: Int32Array, value: number, hash: number): void {
  const mask = table.length - 1;
  let slot = hash & mask;
  while (table[slot] !== 0) slot = (slot + 1) & mask;
  table[slot] = value;
}

/** Power of two that keeps the table at most half full. */
function tableLength(size: number): number {
  let length = 2;
  while (length < size * 2) length *= 2;
  return length;
}
