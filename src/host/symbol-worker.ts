/**
 * The thread that keeps the symbols of a workspace: it loads what was stored, takes in what a walk found,
 * and parses each saved file. It lives as long as somebody follows the workspace.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../base/assert.ts";
import { createSyntax } from "../syntax/index.ts";
import { findDeclarations } from "./declaration-files.ts";
import { installedGrammars } from "./grammars.ts";
import { IndexStore, type IndexWarning, symbolsForm } from "./index-store.ts";
import { type SymbolParts, type SymbolReport, SymbolTable } from "./symbol-table.ts";
import { ThreadPriority } from "./thread-priority.ts";
import type { FoundFile } from "./walk.ts";

/** What the thread is started with, as `workerData`. */
export interface SymbolWorkerInput {
  /** Real path. */
  readonly root: string;
  /** `null`: nothing is read or stored. */
  readonly cacheFolder: string | null;
  readonly maxFileBytes: number;
  /** All stored indexes together. */
  readonly maxStateBytes: number;
}

/** What it is told. Each is answered, in order. */
export type SymbolWorkerRequest =
  | { readonly kind: "sync"; readonly files: readonly FoundFile[] }
  | { readonly kind: "change"; readonly path: string; readonly text: string | null };

/** What it says. Each request ends in one `synced`, `changed` or `failed`. */
export type SymbolWorkerMessage =
  | { readonly kind: "parts"; readonly parts: SymbolParts }
  | { readonly kind: "progress"; readonly filesDone: number; readonly filesTotal: number }
  | { readonly kind: "warning"; readonly warning: IndexWarning }
  | { readonly kind: "synced"; readonly report: SymbolReport }
  | { readonly kind: "changed"; readonly path: string; readonly changedCount: number }
  | { readonly kind: "failed"; readonly message: string };

/** Progress is drawn for people: more often than this, nobody sees. */
const PROGRESS_INTERVAL_MS = 100;
/** Rest after each batch where the priority cannot be lowered. */
const REST_MS = 2;

async function main(input: SymbolWorkerInput): Promise<void> {
  const port = present(parentPort, "the port to the main thread");
  const say = (message: SymbolWorkerMessage): void => port.postMessage(message);
  const priority = new ThreadPriority();
  const { root, cacheFolder, maxFileBytes, maxStateBytes: maxBytes } = input;
  const warn = (warning: IndexWarning): void => say({ kind: "warning", warning });
  const open = (): Promise<IndexStore<Parameters<typeof symbolsForm.encode>[0]>> =>
    IndexStore.open({ form: symbolsForm, cacheFolder, root, maxBytes, warn });
  const reading = await open();
  const stored = await reading.load().finally(() => reading.close());
  const syntax = createSyntax({ source: installedGrammars, now: () => performance.now() });
  const table = new SymbolTable({ root, syntax, maxFileBytes, stored });
  if (stored !== null) say({ kind: "parts", parts: table.parts });

  const answer = async (request: SymbolWorkerRequest): Promise<void> => {
    if (request.kind === "change") {
      await table.change(request.path, request.text);
      say({ kind: "parts", parts: table.changes });
      say({ kind: "changed", path: request.path, changedCount: table.changedCount });
      return;
    }
    let progressMs = Number.NEGATIVE_INFINITY;
    const own = request.files.map((file) => ({ ...file, isNamesOnly: false }));
    const paths = request.files.map(({ path }) => path);
    const report = await table.sync([...own, ...(await findDeclarations(root, paths))], {
      onParts: (parts) => say({ kind: "parts", parts }),
      onProgress: ({ filesDone, filesTotal }) => {
        const nowMs = performance.now();
        if (filesDone !== filesTotal && nowMs - progressMs < PROGRESS_INTERVAL_MS) return;
        progressMs = nowMs;
        say({ kind: "progress", filesDone, filesTotal });
      },
      pause: async () => {
        if (!priority.lower()) await sleep(REST_MS);
      },
    });
    if (report.isChanged) {
      const writing = await open();
      await writing.save(table.base).finally(() => writing.close());
    }
    say({ kind: "synced", report });
  };

  let work = Promise.resolve();
  port.on("message", (request: SymbolWorkerRequest) => {
    work = work
      .then(() => answer(request))
      .catch((error: unknown) => {
        say({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
      })
      // Somebody may wait for what the next saved file brings.
      .finally(() => priority.restore());
  });
}

void main(workerData);
