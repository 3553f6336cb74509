/**
 * The thread that builds the index: one run, then it ends and gives all its memory back. It is started
 * from the built file, since Node 20 runs no TypeScript. Arrays of an index lie in shared memory, so
 * handing it over copies the table of files only.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../base/assert.ts";
import { CompletionError, type ErrorCode } from "../core/index.ts";
import type { LocalIndex } from "../local/index.ts";
import {
  type IndexProgress,
  type IndexReport,
  type IndexRunOptions,
  runIndex,
} from "./index-run.ts";
import type { IndexWarning } from "./index-store.ts";
import { ThreadPriority } from "./thread-priority.ts";
import type { FoundFile } from "./walk.ts";

/** What the thread is started with, as `workerData`. */
export type IndexWorkerInput = IndexRunOptions;

/** What it says. Exactly one `done` or `failed` comes last. */
export type IndexWorkerMessage =
  | { readonly kind: "files"; readonly files: readonly FoundFile[] }
  | { readonly kind: "index"; readonly index: LocalIndex; readonly isWhole: boolean }
  | { readonly kind: "progress"; readonly progress: IndexProgress }
  | { readonly kind: "warning"; readonly warning: IndexWarning }
  | { readonly kind: "done"; readonly report: IndexReport }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/** Progress is drawn for people: more often than this, nobody sees. */
const PROGRESS_INTERVAL_MS = 50;

/** Rest after each batch where the priority cannot be lowered. */
const REST_MS = 2;

async function main(input: IndexWorkerInput): Promise<void> {
  const port = present(parentPort, "the port to the main thread");
  const say = (message: IndexWorkerMessage): void => port.postMessage(message);
  const priority = new ThreadPriority();
  let progressMs = Number.NEGATIVE_INFINITY;
  try {
    const report = await runIndex(input, {
      onFiles: (files) => say({ kind: "files", files }),
      onIndex: (index, isWhole) => say({ kind: "index", index, isWhole }),
      onWarning: (warning) => say({ kind: "warning", warning }),
      onProgress: (progress) => {
        const isLast = progress.filesDone === progress.filesTotal;
        const nowMs = performance.now();
        if (!isLast && nowMs - progressMs < PROGRESS_INTERVAL_MS) return;
        progressMs = nowMs;
        say({ kind: "progress", progress });
      },
      onBuild: () => void priority.lower(),
      pause: async ({ isBusy }) => {
        if (isBusy && !priority.lower()) await sleep(REST_MS);
      },
    });
    say({ kind: "done", report });
  } catch (error) {
    const code = error instanceof CompletionError ? error.code : "INTERNAL";
    const message = error instanceof Error ? error.message : String(error);
    say({ kind: "failed", code, message });
  }
}

void main(workerData);
