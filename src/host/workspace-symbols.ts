/**
 * The main thread's side of the symbols of a workspace: it hands on what the index finds and what is
 * saved, so nothing is walked or watched twice, and gives out each new state. A thread that dies is
 * started again with the next walk; until then the last state serves.
 */
import { Worker } from "node:worker_threads";
import { type Dispose, Emitter } from "../base/event.ts";
import type { Log } from "../core/index.ts";
import { RepoIndex, type SegmentIndexData } from "../repo/index.ts";
import { releaseStoreOfThread, symbolsForm } from "./index-store.ts";
import type { SymbolParts, SymbolReport } from "./symbol-table.ts";
import type {
  SymbolWorkerInput,
  SymbolWorkerMessage,
  SymbolWorkerRequest,
} from "./symbol-worker.ts";
import type { FoundFile } from "./walk.ts";
import { realFolder } from "./workspace-path.ts";

export interface WorkspaceSymbolsOptions extends SymbolWorkerInput {
  /** The built `symbol-worker.js`. */
  readonly workerFile: string | URL;
  readonly log: Log;
}

/** Saved files that are taken in one by one between two walks; the index walks anew after as many. */
const MAX_CHANGES = 200;

export class WorkspaceSymbols {
  readonly #options: WorkspaceSymbolsOptions;
  readonly #indexes = new Emitter<RepoIndex>();
  readonly #progress = new Emitter<{ readonly filesDone: number; readonly filesTotal: number }>();
  /** The large segment that the thread handed over last. */
  #base: SegmentIndexData | null = null;
  #worker: Promise<Worker> | null = null;
  /** Requests that are not answered yet, in order. */
  readonly #waiting: Waiting[] = [];
  /** Saved files since the last walk. */
  #changes = 0;
  #isClosed = false;

  /** Nothing runs before the first call. */
  constructor(options: WorkspaceSymbolsOptions) {
    this.#options = options;
  }

  /** A new state came: the stored one first, then what changed. */
  onIndex(listener: (index: RepoIndex) => void): Dispose {
    return this.#indexes.on(listener);
  }

  /** Called at most ten times a second while files are taken in. */
  onProgress(
    listener: (progress: { readonly filesDone: number; readonly filesTotal: number }) => void,
  ): Dispose {
    return this.#progress.on(listener);
  }

  /** Makes the symbols those of exactly these files; `null` when it could not, which is logged. */
  sync(files: readonly FoundFile[]): Promise<SymbolReport | null> {
    this.#changes = 0;
    return this.#ask({ kind: "sync", files });
  }

  /**
   * A file was saved; `null`: it is gone. Resolves when the new state is out. After 200 files the rest is
   * left to the next `sync`.
   */
  async change(path: string, text: string | null): Promise<void> {
    if (this.#changes++ >= MAX_CHANGES) return;
    await this.#ask({ kind: "change", path, text });
  }

  /** Stops the thread. Nothing is called afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = await this.#worker;
    await worker?.terminate();
    this.#fail();
  }

  async #ask(request: SymbolWorkerRequest): Promise<SymbolReport | null> {
    if (this.#isClosed) return null;
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    if (this.#isClosed) return null;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      worker.postMessage(request);
    });
  }

  async #start(): Promise<Worker> {
    const { workerFile, log, ...rest } = this.#options;
    const root = await realFolder(rest.root);
    const workerData: SymbolWorkerInput = { ...rest, root };
    const worker = new Worker(workerFile, { workerData });
    worker.unref();
    worker.on("message", (message: SymbolWorkerMessage) => this.#hear(message));
    worker.on("error", (error) => log.warn(`the thread of the symbols died: ${error.message}`));
    const { threadId } = worker;
    worker.on("exit", () => {
      this.#worker = null;
      const { cacheFolder } = rest;
      if (cacheFolder !== null) {
        const place = { cacheFolder, root, lockName: symbolsForm.lockName };
        // Nobody waits: the next writer takes a lock whose owner is gone.
        void releaseStoreOfThread(place, threadId).catch(() => {});
      }
      this.#fail();
    });
    return worker;
  }

  #hear(message: SymbolWorkerMessage): void {
    if (this.#isClosed) return;
    const { log } = this.#options;
    switch (message.kind) {
      case "parts":
        this.#take(message.parts);
        break;
      case "progress":
        this.#progress.emit(message);
        break;
      case "warning":
        log.warn(message.warning.message, { code: message.warning.code });
        break;
      case "synced":
        this.#waiting.shift()?.(message.report);
        break;
      case "changed":
        this.#waiting.shift()?.(null);
        break;
      case "failed":
        log.warn(`the symbols were not renewed: ${message.message}`);
        this.#waiting.shift()?.(null);
        break;
    }
  }

  #take({ base, hidden, delta }: SymbolParts): void {
    this.#base = base ?? this.#base;
    if (this.#base === null) return;
    const large = { index: this.#base, hidden: new Set(hidden) };
    const small = delta === null ? [] : [{ index: delta, hidden: new Set<number>() }];
    this.#indexes.emit(new RepoIndex([large, ...small]));
  }

  #fail(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }
}

type Waiting = (report: SymbolReport | null) => void;
