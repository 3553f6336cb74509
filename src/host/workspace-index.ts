/**
 * The main thread's side of the index: starts a thread for each run, hands its results on, and keeps
 * the index fresh. Between runs a saved file counts by its own text (`onFileChanged`); when enough of
 * them came together, a run in the background makes a new index that holds them.
 */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Dispose, Emitter } from "../base/event.ts";
import { type Clock, CompletionError, type Log } from "../core/index.ts";
import type { LocalIndex } from "../local/index.ts";
import type { IndexProgress, IndexReport, IndexRunOptions } from "./index-run.ts";
import { type IndexWarning, localIndexForm, releaseStoreOfThread } from "./index-store.ts";
import type { IndexWorkerInput, IndexWorkerMessage } from "./index-worker.ts";
import { type FileChange, SavedFiles } from "./saved-files.ts";
import { type FoundFile, realWorkspace } from "./walk.ts";
import { type WatchedChanges, WorkspaceWatch } from "./watch.ts";
import { realFolder } from "./workspace-path.ts";
import { workspaceStateFolder } from "./workspace-state.ts";

export interface WorkspaceIndexOptions extends Omit<IndexRunOptions, "previous"> {
  /** The built `index-worker.js`. */
  readonly workerFile: string | URL;
  /** Whether saved files are followed. */
  readonly isWatched: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** An index to use from now on. */
export interface IndexUpdate {
  readonly index: LocalIndex;
  /** False while the run that made it goes on. */
  readonly isWhole: boolean;
}

/** A tenth of the files, but no run for a handful and none with more than the model likes to carry. */
const MIN_DELTA_FILES = 20;
const MAX_DELTA_FILES = 200;
const MAX_DELTA_RATIO = 0.1;

/** A workspace of 10,000 files is watched by then. A larger one is indexed at once, and once more. */
const WATCH_PATIENCE_MS = 150;

/** How often the workspace is looked through where it cannot be watched, and its stored index looked for. */
const RESCAN_MS = 60_000;

export class WorkspaceIndex {
  readonly #options: WorkspaceIndexOptions;
  readonly #files = new Emitter<readonly FoundFile[]>();
  readonly #indexes = new Emitter<IndexUpdate>();
  readonly #progress = new Emitter<IndexProgress>();
  readonly #changes = new Emitter<FileChange>();
  readonly #warnings = new Emitter<IndexWarning>();
  #index: LocalIndex | null = null;
  /** Paths that changed since the run that made the index began. */
  #delta = new Set<string>();
  #worker: Worker | null = null;
  #run: Promise<IndexReport> | null = null;
  #watch: WorkspaceWatch | null = null;
  #cancelRescan: Dispose = () => {};
  /** Something changed that the run which goes on may have missed. */
  #isRunStale = false;
  #taking: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** What the last run could not do. */
  #fault: IndexWarning | null = null;
  #storeWarning: IndexWarning | null = null;
  /** Where the index lies since a run stored it; `null` before, and where nothing is stored. */
  #storedFolder: string | null = null;
  #cancelStoreCheck: Dispose = () => {};

  constructor(options: WorkspaceIndexOptions) {
    this.#options = options;
  }

  /** An index came: the stored one at once, a small one of the newest files, then the whole. */
  onIndex(listener: (update: IndexUpdate) => void): Dispose {
    return this.#indexes.on(listener);
  }

  /** A run has found which files belong to the workspace, the newest first; it has read none yet. */
  onFiles(listener: (files: readonly FoundFile[]) => void): Dispose {
    return this.#files.on(listener);
  }

  /** Called at most 20 times a second while a run goes on. */
  onProgress(listener: (progress: IndexProgress) => void): Dispose {
    return this.#progress.on(listener);
  }

  /** A file was saved or removed since the last index. */
  onFileChanged(listener: (change: FileChange) => void): Dispose {
    return this.#changes.on(listener);
  }

  /** Something does not work that a person may mend. Logged where nobody listens. */
  onWarning(listener: (warning: IndexWarning) => void): Dispose {
    return this.#warnings.on(listener);
  }

  /** True while a run goes on. */
  get isRunning(): boolean {
    return this.#run !== null;
  }

  /** What does not work now, for people; `null` while all does. Looks at two folders: cheap. */
  get problem(): IndexWarning | null {
    const { root } = this.#options;
    if (!existsSync(root)) {
      const message = `the workspace ${root} is gone; what was known of it still answers`;
      return { code: "WORKSPACE_UNREADABLE", message };
    }
    if (this.#fault === null && this.#isStoreGone()) {
      const message = `the stored index was removed; it is stored again within ${RESCAN_MS / 1000} s`;
      return { code: "INDEX_CORRUPT", message };
    }
    return this.#fault;
  }

  /**
   * Watches, runs once and returns what the run did. Rejects with `WORKSPACE_UNREADABLE`, or with
   * `INTERNAL` when the thread died.
   */
  async start(): Promise<IndexReport> {
    const root = await realWorkspace(this.#options.root);
    if (!this.#options.isWatched) return this.rebuild();
    this.#scheduleStoreCheck();
    // First the watch, so that nothing saved during the run is missed; but answers come before that.
    const watching = this.#startWatch(root);
    const isWatching = await this.#isDoneWithin(WATCH_PATIENCE_MS, watching);
    // Never rejects; the second run takes what was saved before its folder was watched.
    if (!isWatching) void watching.then(() => this.#rebuildInBackground());
    return this.rebuild();
  }

  /** Runs again, or joins the run that goes on. Unchanged files are not lexed again. */
  rebuild(): Promise<IndexReport> {
    this.#run ??= this.#runOnce().finally(() => {
      this.#run = null;
      this.#worker = null;
      if (this.#isRunStale) this.#rebuildInBackground();
    });
    return this.#run;
  }

  /** Stops the thread and the watch. Nothing is called afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRescan();
    this.#cancelStoreCheck();
    this.#watch?.close();
    await this.#worker?.terminate();
    // The run ends when the thread has ended and its lock is given back.
    await this.#run?.catch(() => {});
  }

  /** Keeps what went wrong, until a run in which it goes well. */
  async #runOnce(): Promise<IndexReport> {
    this.#storeWarning = null;
    try {
      const report = await this.#runWorker();
      const { cacheFolder, root } = this.#options;
      const isStored = report.stored === "written" || report.stored === "unchanged";
      this.#fault = report.stored === "failed" ? this.#storeWarning : null;
      this.#storedFolder =
        isStored && cacheFolder !== null
          ? workspaceStateFolder(cacheFolder, await realWorkspace(root))
          : null;
      return report;
    } catch (error) {
      if (error instanceof CompletionError) this.#fault = error;
      throw error;
    }
  }

  #isStoreGone(): boolean {
    return this.#storedFolder !== null && !existsSync(this.#storedFolder);
  }

  /** A state folder that somebody removed is made again, though no file changes. */
  #scheduleStoreCheck(): void {
    if (this.#isClosed) return;
    this.#cancelStoreCheck = this.#options.clock.after(RESCAN_MS, () => {
      if (this.#isStoreGone()) this.#rebuildInBackground();
      this.#scheduleStoreCheck();
    });
  }

  async #runWorker(): Promise<IndexReport> {
    const { workerFile, isWatched: _, clock: __, log: ___, ...rest } = this.#options;
    const root = await realWorkspace(rest.root);
    const { cacheFolder } = rest;
    if (this.#isClosed) throw new CompletionError("INTERNAL", "the index is closed");
    this.#delta = new Set();
    this.#isRunStale = false;
    const workerData: IndexWorkerInput = { ...rest, root, previous: this.#index };
    return new Promise((resolve, reject) => {
      const worker = new Worker(workerFile, { workerData });
      this.#worker = worker;
      worker.on("message", (message: IndexWorkerMessage) => {
        if (this.#isClosed) return;
        switch (message.kind) {
          case "files":
            this.#files.emit(message.files);
            break;
          case "index":
            this.#index = message.index;
            this.#indexes.emit(message);
            break;
          case "progress":
            this.#progress.emit(message.progress);
            break;
          case "warning":
            this.#warn(message.warning);
            break;
          case "done":
            resolve(message.report);
            break;
          case "failed":
            reject(new CompletionError(message.code, message.message));
            break;
        }
      });
      worker.on("error", (cause) => {
        reject(new CompletionError("INTERNAL", "the thread that builds the index died", { cause }));
      });
      const { threadId } = worker;
      worker.on("exit", () => {
        const stopped = new CompletionError(
          "INTERNAL",
          "the thread that builds the index was stopped",
        );
        if (cacheFolder === null) reject(stopped);
        else {
          // The lock is given back first, so that whoever waits for the end can take it.
          const place = { cacheFolder, root, lockName: localIndexForm.lockName };
          releaseStoreOfThread(place, threadId).then(() => reject(stopped), reject);
        }
      });
    });
  }

  #isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const cancel = this.#options.clock.after(ms, () => resolve(false));
      work.then(() => resolve(true), reject).finally(cancel);
    });
  }

  async #startWatch(root: string): Promise<void> {
    const { cacheFolder, deny, clock } = this.#options;
    const saved = new SavedFiles(root, this.#options);
    const watch = new WorkspaceWatch({
      root,
      deny,
      without: cacheFolder === null ? [] : [await realFolder(cacheFolder)],
      clock,
      onChanges: (changes) => {
        // One after the other, so that of two reads of a file the later one is told last.
        this.#taking = this.#taking.then(() => this.#take(saved, changes));
      },
      onProblem: (message) => {
        const seconds = RESCAN_MS / 1000;
        const text = `${message}; until then the workspace is looked through every ${seconds} s`;
        this.#warn({ code: null, message: text });
        this.#scheduleRescan();
      },
    });
    // Closing must reach it while it starts.
    this.#watch = watch;
    if (!this.#isClosed) await watch.start();
  }

  async #take(saved: SavedFiles, changes: WatchedChanges): Promise<void> {
    const indexed = this.#index?.files ?? [];
    const ratio = Math.ceil(indexed.length * MAX_DELTA_RATIO);
    const limit = Math.min(MAX_DELTA_FILES, Math.max(MIN_DELTA_FILES, ratio));
    for await (const change of saved.changesOf(changes, indexed)) {
      if (this.#isClosed) return;
      // Of a branch that was switched the run takes the rest.
      if (this.#delta.size > limit) break;
      this.#delta.add(change.path);
      this.#changes.emit(change);
    }
    if (changes.areRulesNew || this.#delta.size > limit) this.#rebuildInBackground();
  }

  #rebuildInBackground(): void {
    if (this.#isClosed) return;
    if (this.#run !== null) {
      this.#isRunStale = true;
      return;
    }
    this.rebuild().catch((error: unknown) => {
      if (this.#isClosed) return;
      const message = error instanceof Error ? error.message : String(error);
      this.#warn({ code: "INTERNAL", message: `the index was not renewed: ${message}` });
    });
  }

  #scheduleRescan(): void {
    if (this.#isClosed) return;
    this.#cancelRescan = this.#options.clock.after(RESCAN_MS, () => {
      this.#rebuildInBackground();
      this.#scheduleRescan();
    });
  }

  #warn(warning: IndexWarning): void {
    const { code, message } = warning;
    if (code === "STORAGE_FULL" || code === "STORAGE_UNWRITABLE") this.#storeWarning = warning;
    if (this.#warnings.listenerCount === 0) this.#options.log.warn(message, { code });
    this.#warnings.emit(warning);
  }
}
