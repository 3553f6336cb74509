/**
 * The stored index of one workspace, for the length of one run. Nothing here ends a run: without a
 * place to store, with a lock that is held elsewhere or with a file that is broken, the index is built
 * in memory, and a warning says what a person can do.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { CompletionError, type ErrorCode, storageError } from "../core/index.ts";
import { decodeIndex, encodeIndex, type LocalIndex } from "../local/index.ts";
import { decodeSegment, encodeSegment, type SegmentData } from "../repo/index.ts";
import { removeUnfinished, writeFileAtomically } from "./atomic-write.ts";
import { fileErrorCode, isMissing } from "./file-error.ts";
import { evictWorkspaces, openWorkspaceState, workspaceStateFolder } from "./workspace-state.ts";
import { acquireWriterLock, releaseLockOfThread, type WriterLock } from "./writer-lock.ts";

/** Something that does not work and does not stop anything. */
export interface IndexWarning {
  /** `null` for what is no failure, such as a cap that cuts. */
  readonly code: ErrorCode | null;
  readonly message: string;
}

/** How one kind of index lies on disk. */
export interface StoredForm<T> {
  readonly fileName: string;
  /** Each kind has a lock of its own: they are made by different threads. */
  readonly lockName: string;
  readonly encode: (index: T) => readonly Uint8Array[];
  /** Throws `CompletionError` INDEX_CORRUPT. */
  readonly decode: (bytes: Uint8Array) => T;
}

/** The index of the model without weights. */
export const localIndexForm: StoredForm<LocalIndex> = {
  fileName: "index.bin",
  lockName: "lock",
  encode: encodeIndex,
  decode: decodeIndex,
};

/** Symbols and words of the workspace. */
export const symbolsForm: StoredForm<SegmentData> = {
  fileName: "symbols.bin",
  lockName: "symbols.lock",
  encode: encodeSegment,
  decode: decodeSegment,
};

export interface StoreOptions<T> {
  readonly form: StoredForm<T>;
  /** The cache folder of Midspan; `null`: nothing is read or stored. */
  readonly cacheFolder: string | null;
  /** The workspace; real path. */
  readonly root: string;
  /** All stored indexes together. */
  readonly maxBytes: number;
  readonly warn: (warning: IndexWarning) => void;
}

/**
 * What became of an index: `locked` means that another process stores its own, `off` that nothing is
 * to be stored.
 */
export type StoreResult = "written" | "unchanged" | "locked" | "failed" | "off";

export class IndexStore<T> {
  readonly #options: StoreOptions<T>;
  /** `null` when there is no place. */
  readonly #folder: string | null;
  /** Why there is no lock: another process has it, or nothing can be written. */
  readonly #lock: WriterLock | "elsewhere" | "unwritable";

  private constructor(
    options: StoreOptions<T>,
    folder: string | null,
    lock: WriterLock | "elsewhere" | "unwritable",
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#lock = lock;
  }

  /** Opens the store and takes the lock if it is free. Call `close` in `finally`. */
  static async open<T>(options: StoreOptions<T>): Promise<IndexStore<T>> {
    const { cacheFolder, root, warn, form } = options;
    if (cacheFolder === null) return new IndexStore(options, null, "unwritable");
    try {
      const folder = await openWorkspaceState(cacheFolder, root);
      const lock = await acquireWriterLock(join(folder, form.lockName));
      if (lock === null) {
        warn({
          code: "INDEX_LOCKED",
          message: `another process stores the index of ${root}; this one keeps its own in memory`,
        });
      }
      return new IndexStore(options, folder, lock ?? "elsewhere");
    } catch (error) {
      warn(warningOf(storageError(cacheFolder, error), "the index is kept in memory only"));
      // What an earlier process stored may still be readable.
      return new IndexStore(options, workspaceStateFolder(cacheFolder, root), "unwritable");
    }
  }

  /** The index as last stored; `null` when there is none that can be read. */
  async load(): Promise<T | null> {
    if (this.#folder === null) return null;
    try {
      const { fileName, decode } = this.#options.form;
      return decode(await readShared(join(this.#folder, fileName)));
    } catch (error) {
      if (isMissing(error)) return null;
      const code = error instanceof CompletionError ? null : fileErrorCode(error);
      const fault = code === null ? error : unreadable(code);
      this.#options.warn(warningOf(fault, "the index is built anew"));
      return null;
    }
  }

  /** Stores an index in place of the last one, then makes room if all take too much. */
  async save(index: T): Promise<StoreResult> {
    if (this.#folder === null) return "off";
    if (this.#lock === "elsewhere") return "locked";
    if (this.#lock === "unwritable") return "failed";
    const { cacheFolder, maxBytes, warn, form } = this.#options;
    const file = join(this.#folder, form.fileName);
    try {
      await removeUnfinished(file);
      await writeFileAtomically(file, form.encode(index));
      if (cacheFolder !== null) {
        await evictWorkspaces(cacheFolder, { maxBytes, keep: this.#folder });
      }
      return "written";
    } catch (error) {
      warn(warningOf(error, "the index is kept in memory only"));
      return "failed";
    }
  }

  /** Gives the lock back. */
  async close(): Promise<void> {
    if (typeof this.#lock !== "string") await this.#lock.release();
  }
}

/** Gives back the lock of a thread that was stopped in the middle of a run. Nothing held is fine. */
export async function releaseStoreOfThread(
  place: { readonly cacheFolder: string; readonly root: string; readonly lockName: string },
  threadId: number,
): Promise<void> {
  const folder = workspaceStateFolder(place.cacheFolder, place.root);
  await releaseLockOfThread(join(folder, place.lockName), threadId);
}

/** The bytes of a file in memory that threads share: an index made of them is handed over without a copy. */
async function readShared(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw unreadable(`${path} is no plain file`);
    const { size } = found;
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) return bytes.subarray(0, at);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

function unreadable(why: string): CompletionError {
  return new CompletionError("INDEX_CORRUPT", `The stored index cannot be read: ${why}`);
}

function warningOf(error: unknown, consequence: string): IndexWarning {
  const code = error instanceof CompletionError ? error.code : "INTERNAL";
  const message = error instanceof Error ? error.message : String(error);
  return { code, message: `${message}; ${consequence}` };
}
