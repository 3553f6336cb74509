/** As much of MessagePack as Neovim's RPC speaks: https://github.com/msgpack/msgpack/blob/master/spec.md */

/** A value on the wire; handles of buffers and windows arrive as their number. */
export type Packed =
  | null
  | boolean
  | number
  | string
  | readonly Packed[]
  | { readonly [key: string]: Packed };

export function pack(value: Packed): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") return packNumber(value);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([head(0xdb, text.length), text]);
  }
  if (Array.isArray(value)) {
    return Buffer.concat([head(0xdd, value.length), ...value.map((item: Packed) => pack(item))]);
  }
  const entries = Object.entries(value);
  const items = entries.flatMap(([key, item]) => [pack(key), pack(item as Packed)]);
  return Buffer.concat([head(0xdf, entries.length), ...items]);
}

function packNumber(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  if (Number.isInteger(value)) {
    bytes[0] = 0xd3;
    bytes.writeBigInt64BE(BigInt(value), 1);
  } else {
    bytes[0] = 0xcb;
    bytes.writeDoubleBE(value, 1);
  }
  return bytes;
}

function head(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes[0] = type;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

/** Reads values as bytes arrive. */
export class Unpacker {
  #bytes: Buffer = Buffer.alloc(0);

  /** The values that are whole by now. */
  push(chunk: Buffer): Packed[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const values: Packed[] = [];
    for (;;) {
      const reader = new Reader(this.#bytes);
      try {
        values.push(reader.value());
      } catch (error) {
        if (error instanceof RangeError) return values;
        throw error;
      }
      this.#bytes = this.#bytes.subarray(reader.at);
    }
  }
}

/** Throws `RangeError` where the bytes end too early. */
class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  value(): Packed {
    const type = this.#unsigned(1);
    if (type < 0x80) return type;
    if (type < 0x90) return this.#map(type & 0x0f);
    if (type < 0xa0) return this.#list(type & 0x0f);
    if (type < 0xc0) return this.#text(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#text(this.#unsigned(2 ** (type - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#handle(this.#unsigned(2 ** (type - 0xc7)));
      case 0xca:
        return this.#take(4).readFloatBE();
      case 0xcb:
        return this.#take(8).readDoubleBE();
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(2 ** (type - 0xcc));
      case 0xcf:
        return Number(this.#take(8).readBigUInt64BE());
      case 0xd0:
      case 0xd1:
      case 0xd2: {
        const size = 2 ** (type - 0xd0);
        return this.#take(size).readIntBE(0, size);
      }
      case 0xd3:
        return Number(this.#take(8).readBigInt64BE());
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(2 ** (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#unsigned(type === 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(type === 0xde ? 2 : 4));
      default:
        // 0xd4 to 0xd8: a handle of 1, 2, 4, 8 or 16 bytes.
        return this.#handle(2 ** (type - 0xd4));
    }
  }

  #handle(size: number): Packed {
    this.#take(1);
    return new Reader(this.#take(size)).value();
  }

  #list(length: number): Packed[] {
    return Array.from({ length }, () => this.value());
  }

  #map(length: number): { [key: string]: Packed } {
    const map: { [key: string]: Packed } = {};
    for (let i = 0; i < length; i++) {
      const key = this.value();
      map[String(key)] = this.value();
    }
    return map;
  }

  #text(size: number): string {
    return this.#take(size).toString("utf8");
  }

  #unsigned(size: number): number {
    return this.#take(size).readUIntBE(0, size);
  }

  #take(size: number): Buffer {
    if (this.at + size > this.#bytes.length) throw new RangeError("more bytes are needed");
    this.at += size;
    return this.#bytes.subarray(this.at - size, this.at);
  }
}
