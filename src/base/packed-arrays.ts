/**
 * Typed arrays one after the other in one run of bytes, each beginning at a multiple of 16, as stored
 * indexes have them. Reading makes views, no copies.
 */

/** Every array begins at a multiple of this many bytes. */
export const PACKED_ALIGNMENT = 16;

/** The arrays of what was packed, in their order. */
export class PackedReader {
  readonly #bytes: Uint8Array;
  readonly #fail: (what: string) => Error;
  #at: number;

  /**
   * `bytes` begin at an aligned place of their buffer and are read from `start` on. `fail` makes the
   * error for bytes that end too early, or for a length that is none.
   */
  constructor(
    bytes: Uint8Array,
    options: { readonly start: number; readonly fail: (what: string) => Error },
  ) {
    this.#bytes = bytes;
    this.#at = options.start;
    this.#fail = options.fail;
  }

  /** True when nothing follows. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next array, of `length` numbers of four bytes. */
  int32(length: number): Int32Array {
    const start = this.#take(length * 4);
    return new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  /** The next array, of `length` numbers of two bytes. */
  uint16(length: number): Uint16Array {
    const start = this.#take(length * 2);
    return new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  /** The next array, of `length` bytes. */
  uint8(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  #take(length: number): number {
    const start = this.#at;
    const end = start + paddedLength(length);
    if (!(length >= 0) || end > this.#bytes.length) throw this.#fail("the bytes end too early");
    this.#at = end;
    return start;
  }
}

/** The bytes of an array as they lie in memory, without a copy. */
export function bytesOf(array: Int32Array | Uint16Array | Uint8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The bytes with zeros behind, up to the place where the next array may begin. */
export function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length % PACKED_ALIGNMENT === 0) return bytes;
  const whole = new Uint8Array(paddedLength(bytes.length));
  whole.set(bytes);
  return whole;
}

/** The UTF-16 units of a text; half pairs stay as they are. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
  return units;
}

/** The text of UTF-16 units. */
export function textOfUnits(units: Uint16Array): string {
  const pieces: string[] = [];
  for (let i = 0; i < units.length; i += 8192) {
    pieces.push(String.fromCharCode(...units.subarray(i, i + 8192)));
  }
  return pieces.join("");
}

function paddedLength(length: number): number {
  return Math.ceil(length / PACKED_ALIGNMENT) * PACKED_ALIGNMENT;
}
