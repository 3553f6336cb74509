/**
 * The append-only journal of one developer: JSON lines, one file per process and day, so that no
 * process ever waits for another. A batch is written and synced before it counts as kept; what a crash
 * leaves behind is at most a torn last line, which readers drop.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import {
  CompletionError,
  type EventSink,
  storageError,
  storageWords,
  type TelemetryEvent,
} from "../core/index.ts";
import { dayOf, fileNameOf, pruneJournal } from "./journal-files.ts";

/** How a journal is kept. */
export interface JournalOptions {
  /** The folder of all journals; made when the first event is written. */
  readonly folder: string;
  /** Random word of this process; part of the file's name. */
  readonly session: string;
  /** Files of days before this many are removed. */
  readonly days: number;
  /** All files together; the oldest go first. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Called once per outage when events cannot be written. */
  readonly onFailure: (error: CompletionError) => void;
}

/** Events wait this long for others to be written with. */
const BATCH_MS = 250;
/** So many are written at once. */
const BATCH_EVENTS = 512;
/** While the disk takes nothing, this many are kept in memory; the oldest go. */
const MAX_WAITING = 2_000;

/** Writes events. Recording never waits and never throws; `flush` tells whether all is kept. */
export class Journal implements EventSink {
  readonly #options: JournalOptions;
  #waiting: TelemetryEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #file: { readonly day: string; readonly handle: FileHandle } | null = null;
  /** A write that failed may have left half a line. */
  #isTorn = false;
  #failure: CompletionError | null = null;
  #isClosed = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Why events cannot be written now; `null` while they can, as far as the last batch tells. */
  get failure(): CompletionError | null {
    return this.#failure;
  }

  record(event: TelemetryEvent): void {
    if (this.#isClosed) return;
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    if (this.#waiting.length >= BATCH_EVENTS) this.#flushSoon(0);
    else this.#flushSoon(BATCH_MS);
  }

  /**
   * Resolves when all that was recorded before is on the disk. Rejects as `storageError` when it
   * cannot be written; the events are then kept in memory and tried again with the next batch.
   */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => {
      // Whoever waits for this batch is told; the next one tries again.
    });
    return written;
  }

  /** Writes what waits and closes the file. Later events are dropped. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.flush().catch(() => {
      // It was reported when it happened.
    });
    await this.#file?.handle.close().catch(() => {
      // All that counts was synced.
    });
    this.#file = null;
  }

  #flushSoon(ms: number): void {
    if (this.#timer !== null && ms > 0) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush().catch(() => {}), ms);
    // A process that has nothing else to do ends; closing writes the rest.
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      const handle = await this.#open();
      const start = this.#isTorn ? "\n" : "";
      const lines = batch.map((event) => `${JSON.stringify(event)}\n`).join("");
      this.#isTorn = true;
      await handle.appendFile(start + lines);
      await handle.datasync();
      this.#isTorn = false;
      this.#failure = null;
    } catch (cause) {
      this.#waiting = [...batch, ...this.#waiting].slice(-MAX_WAITING);
      const error = eventsFailure(this.#options.folder, cause);
      if (this.#failure === null) this.#options.onFailure(error);
      this.#failure = error;
      throw error;
    }
  }

  /** The file of today. A new day begins with removing what is too old. */
  async #open(): Promise<FileHandle> {
    const { folder, session, wallNow } = this.#options;
    const day = dayOf(wallNow());
    if (this.#file?.day === day && (await isThere(this.#file.handle))) return this.#file.handle;
    await this.#file?.handle.close();
    this.#file = null;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = fileNameOf(day, session);
    await pruneJournal(this.#options, name);
    const handle = await open(join(folder, name), "a", 0o600);
    this.#file = { day, handle };
    await syncFolder(folder);
    return handle;
  }
}

/** Coded in any case: nobody who types may meet a failure to note what they did. */
function eventsFailure(folder: string, cause: unknown): CompletionError {
  const known = storageError(folder, cause);
  if (known instanceof CompletionError) return known;
  return new CompletionError("STORAGE_UNWRITABLE", storageWords(folder, cause), { cause });
}

/** False once somebody removed the file: what is written to it would be gone with it. */
async function isThere(handle: FileHandle): Promise<boolean> {
  return (await handle.stat()).nlink > 0;
}

/** Makes a new file's name last through a power cut. Not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
