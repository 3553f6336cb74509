/**
 * What a GGUF file says about its model: the format is described at
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Only the header is read (a few MB of
 * vocabulary), never the weights, and of the vocabulary only the tokens that were asked for are kept.
 */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { CompletionError } from "../core/index.ts";
import { fileErrorCode, isMissing } from "./file-error.ts";
import { damaged, invalid } from "./gguf-error.ts";
import { GgufReader, ggufKinds } from "./gguf-reader.ts";
import { quantisationName, tensorBytes } from "./gguf-types.ts";

/** The facts of a model file. `null`: the file does not say. */
export interface GgufHeader {
  readonly architecture: string | null;
  /** Names of the model in its metadata, the most telling first, without repeats. */
  readonly names: readonly string[];
  readonly licence: string | null;
  /** Prompt and output together that the model was trained for. */
  readonly contextTokens: number | null;
  /** Such as `Q8_0`. */
  readonly quantisation: string | null;
  /** Elements of all tensors of this file. */
  readonly parameterCount: number;
  readonly vocabularySize: number | null;
  /** Ids of the tokens that were asked for and exist. */
  readonly tokenIds: ReadonlyMap<string, number>;
  /** Ids of `tokenizer.ggml.fim_…_token_id`, by the middle of the key, such as `pre`. */
  readonly fimTokenIds: ReadonlyMap<string, number>;
  /** Memory of one token in the KV cache at 16 bits a number. */
  readonly cacheBytesPerToken: number | null;
  readonly fileBytes: number;
  /** Which file of how many, for a model in several files. */
  readonly part: { readonly index: number; readonly count: number } | null;
}

const MAX_KEYS = 65_536;
const MAX_TENSORS = 1_000_000;
const MAX_ITEMS = 16_000_000;
/** Longer tokens are never sentinels; they need not be decoded. */
const MAX_SENTINEL_BYTES = 64;
/** Lists that are numbers per layer are short; others, such as scores of tokens, are skipped. */
const MAX_KEPT_NUMBERS = 1_024;

type Value = string | number | readonly number[] | null;

/**
 * Reads the header of a model file and checks that the file is as long as its header says. Throws
 * `MODEL_NOT_FOUND` when there is no such file and `MODEL_FILE_INVALID` when it is no GGUF, damaged,
 * or cut off.
 */
export async function readGgufHeader(
  path: string,
  options: {
    /** Tokens whose ids are of interest. */
    readonly tokens: ReadonlySet<string>;
  },
): Promise<GgufHeader> {
  const file = await opened(path);
  try {
    const { size } = await file.stat();
    const reader = new GgufReader(file, path);
    await checkMagic(reader, path, size);
    const tensorCount = await reader.count(MAX_TENSORS, "tensors");
    const keyCount = await reader.count(MAX_KEYS, "metadata keys");
    const metadata = await readMetadata(reader, { path, keyCount, tokens: options.tokens });
    const part = partOf(metadata.values);
    if (part !== null && part.index > 0) {
      throw invalid(path, `is file ${part.index + 1} of ${part.count}; name the first one`);
    }
    const tensors = await readTensors(reader, { path, tensorCount });
    const alignment = numberOf(metadata.values, "general.alignment") ?? 32;
    checkLength(path, {
      size,
      needed: Math.ceil(reader.offset / alignment) * alignment + tensors.endBytes,
    });
    return headerOf(metadata, { parameterCount: tensors.parameterCount, fileBytes: size, part });
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw invalid(path, "is a folder; name the file in it");
  } catch (cause) {
    if (cause instanceof CompletionError) throw cause;
    if (isMissing(cause)) {
      const message = `there is no file ${path}; midspan model list shows what can be had`;
      throw new CompletionError("MODEL_NOT_FOUND", message, { cause });
    }
    const message = `${path} cannot be read (${fileErrorCode(cause)}); check its permissions`;
    throw new CompletionError("MODEL_FILE_INVALID", message, { cause });
  }
}

async function checkMagic(reader: GgufReader, path: string, size: number): Promise<void> {
  const next = "fetch one with midspan model pull NAME, or name another file";
  if (size < 24) throw invalid(path, `is no GGUF model: it has ${size} bytes; ${next}`);
  const magic = await reader.bytes(4);
  if (magic.toString("latin1") !== "GGUF") {
    const begin = JSON.stringify(magic.toString("latin1").replace(/[^ -~]/g, "."));
    throw invalid(path, `is no GGUF model: it begins with ${begin}; ${next}`);
  }
  const version = await reader.uint32();
  if (version === 2 || version === 3) return;
  const says = version === 1 ? "has the old GGUF version 1" : `has the GGUF version ${version}`;
  throw invalid(path, `${says}, which cannot be read; ${next}`);
}

interface Metadata {
  readonly values: ReadonlyMap<string, Value>;
  readonly tokenIds: ReadonlyMap<string, number>;
  readonly vocabularySize: number | null;
}

async function readMetadata(
  reader: GgufReader,
  options: {
    readonly path: string;
    readonly keyCount: number;
    readonly tokens: ReadonlySet<string>;
  },
): Promise<Metadata> {
  const values = new Map<string, Value>();
  const tokenIds = new Map<string, number>();
  let vocabularySize: number | null = null;
  for (let left = options.keyCount; left > 0; left--) {
    const key = await reader.text();
    const kind = await reader.uint32();
    if (key === "tokenizer.ggml.tokens" && kind === ggufKinds.array) {
      vocabularySize = await readTokens(reader, options, tokenIds);
    } else {
      values.set(key, await readValue(reader, kind));
    }
  }
  return { values, tokenIds, vocabularySize };
}

async function readValue(reader: GgufReader, kind: number): Promise<Value> {
  if (kind === ggufKinds.string) return reader.text();
  if (kind !== ggufKinds.array) return reader.number(kind);
  const itemKind = await reader.uint32();
  const count = await reader.count(MAX_ITEMS, "items in one list");
  if (itemKind === ggufKinds.string) {
    await reader.eachText(count, () => {});
    return null;
  }
  if (count > MAX_KEPT_NUMBERS || itemKind === ggufKinds.array) {
    await reader.skip(count * reader.sizeOf(itemKind));
    return null;
  }
  const numbers: number[] = [];
  for (let left = count; left > 0; left--) numbers.push(await reader.number(itemKind));
  return numbers;
}

/** Fills `ids` with the wanted tokens; returns the number of all tokens. */
async function readTokens(
  reader: GgufReader,
  options: { readonly path: string; readonly tokens: ReadonlySet<string> },
  ids: Map<string, number>,
): Promise<number> {
  const kind = await reader.uint32();
  if (kind !== ggufKinds.string) throw damaged(options.path, "its vocabulary is no list of texts");
  const count = await reader.count(MAX_ITEMS, "tokens");
  await reader.eachText(count, (bytes, id) => {
    if (bytes.length > MAX_SENTINEL_BYTES) return;
    const text = bytes.toString("utf8");
    if (options.tokens.has(text)) ids.set(text, id);
  });
  return count;
}

/** Number of elements, and where the last tensor ends behind the header; 0 where that is unknown. */
async function readTensors(
  reader: GgufReader,
  options: { readonly path: string; readonly tensorCount: number },
): Promise<{ readonly parameterCount: number; readonly endBytes: number }> {
  let parameterCount = 0;
  let endBytes = 0;
  for (let left = options.tensorCount; left > 0; left--) {
    await reader.text();
    const dimensions = await reader.uint32();
    if (dimensions > 8) throw damaged(options.path, `a tensor has ${dimensions} dimensions`);
    let elements = 1;
    for (let d = 0; d < dimensions; d++) {
      elements *= await reader.count(Number.MAX_SAFE_INTEGER, "rows in one tensor");
    }
    const type = await reader.uint32();
    const offset = await reader.count(Number.MAX_SAFE_INTEGER, "bytes");
    parameterCount += elements;
    endBytes = Math.max(endBytes, offset + (tensorBytes(type, elements) ?? 0));
  }
  return { parameterCount, endBytes };
}

function checkLength(
  path: string,
  { size, needed }: { readonly size: number; readonly needed: number },
): void {
  if (size >= needed) return;
  const there = `${megabytes(size)} of ${megabytes(needed)} MB are there`;
  throw invalid(path, `is cut off (${there}); fetch it again`);
}

function headerOf(
  { values, tokenIds, vocabularySize }: Metadata,
  rest: Pick<GgufHeader, "parameterCount" | "fileBytes" | "part">,
): GgufHeader {
  const architecture = textOf(values, "general.architecture");
  const own = (key: string): number | null => numberOf(values, `${architecture}.${key}`);
  const fileType = numberOf(values, "general.file_type");
  return {
    architecture,
    names: namesOf(values),
    licence: textOf(values, "general.license"),
    contextTokens: own("context_length"),
    quantisation: quantisationName(fileType),
    vocabularySize: vocabularySize ?? own("vocab_size"),
    tokenIds,
    fimTokenIds: fimTokensOf(values),
    cacheBytesPerToken: cacheBytes(values, architecture),
    ...rest,
  };
}

function namesOf(values: ReadonlyMap<string, Value>): readonly string[] {
  const keys = ["general.name", "general.basename", "general.base_model.0.name"];
  return [...new Set(keys.flatMap((key) => textOf(values, key) ?? []))];
}

function fimTokensOf(values: ReadonlyMap<string, Value>): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const [key, value] of values) {
    const part = /^tokenizer\.ggml\.fim_(\w+)_token_id$/.exec(key)?.[1];
    if (part !== undefined && typeof value === "number") ids.set(part, value);
  }
  return ids;
}

/** Keys and values of each layer that has attention. Models with other states need less. */
function cacheBytes(
  values: ReadonlyMap<string, Value>,
  architecture: string | null,
): number | null {
  const own = (key: string): Value => values.get(`${architecture}.${key}`) ?? null;
  const layers = own("block_count");
  const embedding = own("embedding_length");
  const heads = own("attention.head_count");
  const cached = own("attention.head_count_kv") ?? heads;
  if (typeof layers !== "number" || cached === null || typeof cached === "string") return null;
  const size =
    typeof embedding === "number" && typeof heads === "number" ? embedding / heads : null;
  const keyLength = own("attention.key_length") ?? size;
  const valueLength = own("attention.value_length") ?? size;
  if (typeof keyLength !== "number" || typeof valueLength !== "number") return null;
  const allHeads =
    typeof cached === "number" ? layers * cached : cached.reduce((sum, each) => sum + each, 0);
  return allHeads * (keyLength + valueLength) * 2;
}

function partOf(values: ReadonlyMap<string, Value>): GgufHeader["part"] {
  const count = numberOf(values, "split.count");
  const index = numberOf(values, "split.no");
  return count === null || index === null || count < 2 ? null : { index, count };
}

function textOf(values: ReadonlyMap<string, Value>, key: string): string | null {
  const value = values.get(key);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function numberOf(values: ReadonlyMap<string, Value>, key: string): number | null {
  const value = values.get(key);
  return typeof value === "number" ? value : null;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

/** The name under which a file is known where its metadata has none: without folder and ending. */
export function modelNameOfFile(path: string): string {
  return basename(path).replace(/\.gguf$/i, "");
}
