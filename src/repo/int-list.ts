/** Numbers that are collected before their count is known, then kept as one shared array. */

/** A growing list of 32-bit integers. */
export class IntList {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  /** Appends `source[start, end)`. */
  pushRange(source: Int32Array, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (needed > this.#values.length) this.#grow(needed);
    this.#values.set(source.subarray(start, end), this.#length);
    this.#length = needed;
  }

  /** The list as an array that threads share. */
  toShared(): Int32Array {
    const shared = sharedInt32(this.#length);
    shared.set(this.#values.subarray(0, this.#length));
    return shared;
  }

  #grow(needed: number): void {
    const grown = new Int32Array(Math.max(needed, this.#values.length * 2));
    grown.set(this.#values);
    this.#values = grown;
  }
}

/** A growing list of bytes. */
export class ByteList {
  #values = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  /** Appends `source[start, end)`. */
  pushRange(source: Uint8Array, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (needed > this.#values.length) this.#grow(needed);
    this.#values.set(source.subarray(start, end), this.#length);
    this.#length = needed;
  }

  /** The list as an array that threads share. */
  toShared(): Uint8Array {
    const shared = new Uint8Array(sharedBytes(this.#length));
    shared.set(this.#values.subarray(0, this.#length));
    return shared;
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.#values.length * 2));
    grown.set(this.#values);
    this.#values = grown;
  }
}

/** `length` zeros that threads share. */
export function sharedInt32(length: number): Int32Array {
  return new Int32Array(sharedBytes(length * 4));
}

/** `length` zeros that threads share. */
export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(sharedBytes(length * 2));
}

/** Plain memory where the host has no shared one; `postMessage` then copies. */
function sharedBytes(byteLength: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === "undefined"
    ? new ArrayBuffer(byteLength)
    : new SharedArrayBuffer(byteLength);
}
