/**
 * Where files of models are fetched from: a server laid out as huggingface.co, which many companies
 * mirror. `GET /OWNER/NAME/resolve/REVISION/FILE` sends a file, mostly by a redirect;
 * `GET /api/models/OWNER/NAME/tree/REVISION` lists the files with size and, for large ones, the
 * SHA-256 as `lfs.oid`.
 */
import { isLoopbackHost } from "../../base/loopback.ts";
import { CompletionError, type HttpClient } from "../../core/index.ts";
import type { ModelFile } from "./catalogue.ts";

type FileName = Pick<ModelFile, "repository" | "revision" | "file">;

/** What a mirror says about a file; `null` where it says nothing. */
export interface MirrorFacts {
  readonly bytes: number | null;
  /** Lower-case hexadecimal digits. */
  readonly sha256: string | null;
}

const nothing: MirrorFacts = { bytes: null, sha256: null };

const MAX_LIST_LENGTH = 8 * 1024 * 1024;
const ANSWER_MS = 15_000;

/** The address of a file. */
export function fileAddress(mirror: string, { repository, revision, file }: FileName): string {
  return `${mirror.replace(/\/+$/, "")}/${repository}/resolve/${revision}/${encodeURIComponent(file)}`;
}

/**
 * Asks the mirror for size and checksum of a file. A mirror that has no such list, or is out of
 * order, says nothing: what it then sends shows what is wrong.
 */
export async function mirrorFacts(
  mirror: string,
  name: FileName,
  options: { readonly http: HttpClient; readonly isOffline: boolean; readonly signal: AbortSignal },
): Promise<MirrorFacts> {
  const { repository, revision, file } = name;
  const url = `${mirror.replace(/\/+$/, "")}/api/models/${repository}/tree/${revision}`;
  if (options.isOffline && !isLoopbackHost(new URL(url).hostname)) return nothing;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const response = await options.http.send({ method: "GET", url, headers: {} }, { signal });
    const text = await textOf(response.body);
    return response.status === 200 ? factsIn(JSON.parse(text), file) : nothing;
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    const isExpected =
      signal.aborted || error instanceof CompletionError || error instanceof SyntaxError;
    if (isExpected) return nothing;
    throw error;
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_LIST_LENGTH) break;
  }
  return text;
}

function factsIn(list: unknown, file: string): MirrorFacts {
  if (!Array.isArray(list)) return nothing;
  const entry = list.find((each) => field(each, "path") === file);
  const lfs = field(entry, "lfs");
  const oid = field(lfs, "oid");
  const bytes = field(lfs, "size") ?? field(entry, "size");
  return {
    bytes: typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null,
    sha256: typeof oid === "string" && /^[0-9a-f]{64}$/i.test(oid) ? oid.toLowerCase() : null,
  };
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
