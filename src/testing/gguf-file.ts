/** Small GGUF files for tests: real headers, weights of zeros. */

type GgufValue =
  | string
  | boolean
  | { readonly uint32: number }
  | { readonly uint64: number }
  | { readonly float32: number }
  | { readonly texts: readonly string[] }
  | { readonly int32s: readonly number[] };

export interface GgufContent {
  readonly metadata: Readonly<Record<string, GgufValue>>;
  readonly tensors: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    /** Number of its type, such as 0 for F32 or 8 for Q8_0. */
    readonly type: number;
    readonly bytes: number;
  }[];
  /** Default 3. */
  readonly version?: number;
}

const ALIGNMENT = 32;

/** The bytes of a model file. */
export function ggufFile(content: GgufContent): Buffer {
  const { metadata, tensors, version = 3 } = content;
  const entries = Object.entries(metadata);
  let offset = 0;
  const descriptions = tensors.map(({ name, shape, type, bytes }) => {
    const description = [text(name), uint32(shape.length), ...shape.map(uint64), uint32(type)];
    const start = offset;
    offset = aligned(offset + bytes);
    return Buffer.concat([...description, uint64(start)]);
  });
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(version),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.map(([key, value]) => Buffer.concat([text(key), valueBytes(value)])),
    ...descriptions,
  ]);
  return Buffer.concat([header], aligned(header.length) + offset);
}

/** A model of one tensor whose vocabulary holds these tokens. */
export function modelFile(options: {
  readonly name: string;
  readonly tokens: readonly string[];
  readonly architecture?: string;
}): Buffer {
  const { name, tokens, architecture = "llama" } = options;
  return ggufFile({
    metadata: {
      "general.architecture": architecture,
      "general.name": name,
      "general.license": "mit",
      "general.file_type": { uint32: 7 },
      [`${architecture}.context_length`]: { uint32: 2048 },
      [`${architecture}.block_count`]: { uint32: 4 },
      [`${architecture}.embedding_length`]: { uint32: 64 },
      [`${architecture}.attention.head_count`]: { uint32: 4 },
      [`${architecture}.attention.head_count_kv`]: { uint32: 2 },
      "tokenizer.ggml.tokens": { texts: tokens },
    },
    tensors: [{ name: "token_embd.weight", shape: [64, 32], type: 8, bytes: 64 * 34 }],
  });
}

function valueBytes(value: GgufValue): Buffer {
  if (typeof value === "string") return Buffer.concat([uint32(8), text(value)]);
  if (typeof value === "boolean") return Buffer.concat([uint32(7), Buffer.from([value ? 1 : 0])]);
  if ("uint32" in value) return Buffer.concat([uint32(4), uint32(value.uint32)]);
  if ("uint64" in value) return Buffer.concat([uint32(10), uint64(value.uint64)]);
  if ("float32" in value) {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value.float32);
    return Buffer.concat([uint32(6), bytes]);
  }
  if ("texts" in value) {
    const { texts } = value;
    return Buffer.concat([uint32(9), uint32(8), uint64(texts.length), ...texts.map(text)]);
  }
  const { int32s } = value;
  return Buffer.concat([uint32(9), uint32(5), uint64(int32s.length), ...int32s.map(uint32)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
