/**
 * Fetches one large file: in the state that a failure left it goes on next time, by HTTP ranges; the
 * checksum is taken while the bytes arrive; the finished file appears in one step.
 */
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { byteSize } from "../base/byte-size.ts";
import { linkSignals } from "../base/signal.ts";
import {
  type Clock,
  CompletionError,
  type HttpClient,
  type HttpResponse,
  storageError,
} from "../core/index.ts";
import { freeBytesAt } from "./disk-space.ts";
import {
  checkOffline,
  leave,
  openSource,
  type SourceAdvice,
  type SourceRules,
} from "./download-source.ts";
import { PartFile, partPath } from "./part-file.ts";
import { pause } from "./pause.ts";
import { acquireWriterLock } from "./writer-lock.ts";

/** What to fetch and where to. */
export interface DownloadFile {
  readonly url: string;
  /** Path of the finished file; the folder is made. */
  readonly target: string;
  /** Hexadecimal; `null` when nobody knows it: then nothing is resumed and no other host is trusted. */
  readonly sha256: string | null;
  /** `null` when unknown; the server's word holds then. */
  readonly bytes: number | null;
}

export interface DownloadOptions {
  /** Without a limit on the length of an answer. */
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly isOffline: boolean;
  readonly signal: AbortSignal;
  /** Called for each piece that arrives. `total` is `null` while unknown. */
  readonly onProgress: (done: number, total: number | null) => void;
  /** Called before a failed attempt is repeated. */
  readonly onRetry?: (reason: string, waitMs: number) => void;
  readonly advice: SourceAdvice;
  /** Free bytes where a folder lies; tests bring their own. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface Downloaded {
  readonly bytes: number;
  /** Of the bytes that arrived; equal to the one that was asked for, if there was one. */
  readonly sha256: string;
  /** Bytes that were there from an earlier try. */
  readonly resumedAt: number;
}

/** Attempts without any progress between them. */
const MAX_RETRIES = 4;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** A connection that brings nothing for this long is given up. */
const STALL_MS = 30_000;
/** Left free on the disk. */
const SPARE_BYTES = 64_000_000;

/**
 * Fetches the file and moves it to its place. Throws `DOWNLOAD_FAILED`, `CHECKSUM_MISMATCH` (what
 * arrived is removed) or as `storageError`, or the signal's reason. After a failure of the network, or
 * when it is stopped, the half is kept as `TARGET.part` if it can be gone on with.
 */
export async function download(file: DownloadFile, options: DownloadOptions): Promise<Downloaded> {
  checkOffline(new URL(file.url), options);
  const folder = dirname(file.target);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw storageError(folder, error);
  }
  const lock = await acquireWriterLock(`${file.target}.lock`).catch((error: unknown) => {
    throw storageError(file.target, error);
  });
  if (lock === null) {
    throw failed(`another process fetches ${file.target}; wait for it`);
  }
  try {
    return await locked(file, options);
  } finally {
    await lock.release();
  }
}

async function locked(file: DownloadFile, options: DownloadOptions): Promise<Downloaded> {
  const half = await stat(partPath(file.target)).then(
    ({ size }) => size,
    () => 0,
  );
  const isUsable = file.sha256 !== null && (file.bytes === null || half <= file.bytes);
  const resumedAt = isUsable ? half : 0;
  if (!isUsable) await rm(partPath(file.target), { force: true });
  if (file.bytes !== null) await checkSpace(file.target, file.bytes - resumedAt, options);
  const part = await PartFile.open(file.target, { keep: isUsable, signal: options.signal });
  let isKept = file.sha256 !== null;
  try {
    await fetchAll(part, file, options);
    const sha256 = part.digest();
    if (file.sha256 !== null && sha256 !== file.sha256.toLowerCase()) {
      isKept = false;
      throw mismatch(file, `the checksum is ${sha256} instead of ${file.sha256}`, options.advice);
    }
    await part.finish();
    return { bytes: part.bytes, sha256, resumedAt };
  } catch (error) {
    // A full disk is not kept full, and bytes that are wrong or empty help nobody.
    const isUseless =
      error instanceof CompletionError &&
      (error.code === "STORAGE_FULL" ||
        error.code === "STORAGE_UNWRITABLE" ||
        error.code === "CHECKSUM_MISMATCH");
    if (!isKept || isUseless || part.bytes === 0) await part.discard();
    throw error;
  } finally {
    await part.close();
  }
}

/** `again`: a failure that may pass. */
type Attempt =
  | { readonly kind: "done" }
  | { readonly kind: "again"; readonly reason: string; readonly waitMs: number | null };

async function fetchAll(
  part: PartFile,
  file: DownloadFile,
  options: DownloadOptions,
): Promise<void> {
  let failures = 0;
  // A source that begins anew each time and breaks off at the same place makes no progress.
  let furthest = part.bytes;
  for (;;) {
    const attempt = await fetchRest(part, file, options);
    if (attempt.kind === "done") return;
    const isKept = file.sha256 !== null;
    failures = isKept && part.bytes > furthest ? 1 : failures + 1;
    furthest = Math.max(furthest, part.bytes);
    if (failures > MAX_RETRIES) {
      const kept = isKept ? "; the same command goes on where it stopped" : "";
      throw failed(`${attempt.reason}${kept}`);
    }
    // Two halves of different files cannot be told from one file then.
    if (!isKept) await part.restart();
    const wantedMs = attempt.waitMs ?? FIRST_WAIT_MS * 2 ** (failures - 1);
    const waitMs = Math.min(wantedMs, MAX_WAIT_MS);
    options.onRetry?.(attempt.reason, waitMs);
    await pause(options.clock, waitMs, options.signal);
  }
}

async function fetchRest(
  part: PartFile,
  file: DownloadFile,
  options: DownloadOptions,
): Promise<Attempt> {
  const { controller, unlink } = linkSignals(options.signal);
  const host = new URL(file.url).host;
  const { advice } = options;
  const stalled = new Error("stalled");
  const watch = (): (() => void) => options.clock.after(STALL_MS, () => controller.abort(stalled));
  let cancelWatch = watch();
  try {
    const response = await open(part, file, { ...options, signal: controller.signal });
    const refusal = await refusalOf(response, part, { file, advice });
    if (refusal !== null) return refusal;
    const total = await totalOf(response, part, file, options);
    options.onProgress(part.bytes, total);
    for await (const chunk of response.body) {
      cancelWatch();
      if (total !== null && part.bytes + chunk.length > total) {
        throw mismatch(file, `more than ${byteSize(total)} came`, advice);
      }
      await part.append(chunk);
      options.onProgress(part.bytes, total);
      cancelWatch = watch();
    }
    return total === null || part.bytes === total
      ? { kind: "done" }
      : { kind: "again", reason: `${host} broke off`, waitMs: null };
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    if (controller.signal.reason === stalled) {
      const reason = `${host} sent nothing for ${STALL_MS / 1000} s`;
      return { kind: "again", reason, waitMs: null };
    }
    const code = error instanceof CompletionError ? error.code : null;
    if (code !== "BACKEND_UNREACHABLE" && code !== "BACKEND_BAD_RESPONSE") throw error;
    return { kind: "again", reason: connectionFault(host, error, advice), waitMs: null };
  } finally {
    cancelWatch();
    unlink();
  }
}

function open(part: PartFile, file: DownloadFile, options: DownloadOptions): Promise<HttpResponse> {
  const rules: SourceRules = { ...options, isVerified: file.sha256 !== null };
  const headers = { "accept-encoding": "identity" };
  const range = part.bytes === 0 ? {} : { range: `bytes=${part.bytes}-` };
  return openSource(file.url, { ...headers, ...range }, rules);
}

/** What a status other than success means; `null` when the bytes may be read. */
async function refusalOf(
  response: HttpResponse,
  part: PartFile,
  { file, advice }: { readonly file: DownloadFile; readonly advice: SourceAdvice },
): Promise<Attempt | null> {
  const { status, headers } = response;
  const { host } = new URL(file.url);
  const isPage = (headers["content-type"] ?? "").startsWith("text/html");
  if (status === 206 && !isPage) {
    const start = /^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1];
    if (Number(start) === part.bytes) return null;
  } else if (status === 200 && !isPage) {
    // A server without ranges begins anew.
    if (part.bytes > 0) await part.restart();
    return null;
  }
  await leave(response);
  if (status === 206 || status === 416) {
    if (part.bytes === file.bytes) return { kind: "done" };
    await part.restart();
    return { kind: "again", reason: `${host} cannot go on where it stopped`, waitMs: 0 };
  }
  if (status === 429 || status >= 500) {
    const seconds = Number(headers["retry-after"] ?? Number.NaN);
    const waitMs = seconds > 0 ? seconds * 1000 : null;
    return { kind: "again", reason: `${host} answered with status ${status}`, waitMs };
  }
  throw failed(`${host} ${saysOf(status, isPage, advice)}`);
}

function saysOf(status: number, isPage: boolean, { source, byHand }: SourceAdvice): string {
  if (status === 404) return `has no such file; check its name, or ${source}`;
  if (status === 401 || status === 403) return `wants an account for this file; ${byHand}`;
  if (isPage) return `sent a web page instead of the file; ${source}`;
  return `answered with status ${status}; ${byHand}`;
}

/** The length of the whole file, checked against what is known and against the room on the disk. */
async function totalOf(
  response: HttpResponse,
  part: PartFile,
  file: DownloadFile,
  options: DownloadOptions,
): Promise<number | null> {
  const length = Number(response.headers["content-length"] ?? Number.NaN);
  const told = Number.isSafeInteger(length) ? part.bytes + length : null;
  if (file.bytes !== null && told !== null && told !== file.bytes) {
    throw mismatch(file, `it has ${told} bytes instead of ${file.bytes}`, options.advice);
  }
  if (file.bytes === null && told !== null) {
    await checkSpace(file.target, told - part.bytes, options);
  }
  return file.bytes ?? told;
}

async function checkSpace(
  target: string,
  needed: number,
  { freeBytes = freeBytesAt, advice }: DownloadOptions,
): Promise<void> {
  const folder = dirname(target);
  const free = await freeBytes(folder);
  if (free >= needed + SPARE_BYTES) return;
  const message = `there is no room in ${folder}: ${byteSize(needed)} are needed and ${byteSize(free)} are free; free some, or ${advice.room}`;
  throw new CompletionError("STORAGE_FULL", message);
}

function connectionFault(host: string, error: unknown, { source }: SourceAdvice): string {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `${host} cannot be reached or hung up${code}; check the network, or ${source}`;
}

function mismatch(file: DownloadFile, what: string, { source }: SourceAdvice): CompletionError {
  const message = `${new URL(file.url).host} sent another file than expected: ${what}; it was removed, try again or ${source}`;
  return new CompletionError("CHECKSUM_MISMATCH", message);
}

function failed(message: string): CompletionError {
  return new CompletionError("DOWNLOAD_FAILED", message);
}
