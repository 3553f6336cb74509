/** Brings the index of a workspace up to date and shows how far it is. */
import type { IndexReport } from "../host/index-run.ts";
import type { SymbolReport } from "../host/symbol-table.ts";
import type { WorkspaceIndex } from "../host/workspace-index.ts";
import { isNews } from "./notice.ts";
import { createProgress } from "./progress.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** Starts the index, with a progress bar on stderr; resolves when all is indexed. */
export async function buildIndex(index: WorkspaceIndex): Promise<IndexReport> {
  const progress = createProgress("Indexing", process.stderr);
  const stopProgress = index.onProgress(({ filesDone, filesTotal }) => {
    progress.update(filesDone, filesTotal, "files");
  });
  const stopWarnings = index.onWarning(({ message }) => {
    if (isNews(message)) progress.say(`midspan: ${message}`);
  });
  try {
    return await index.start();
  } finally {
    progress.finish(null);
    stopProgress();
    stopWarnings();
  }
}

/** Waits until the symbols of the newest walk are there; `null` when they could not be made. */
export async function awaitSymbols(context: WorkspaceContext): Promise<SymbolReport | null> {
  const progress = createProgress("Reading symbols", process.stderr);
  const stopProgress = context.symbols.onProgress(({ filesDone, filesTotal }) => {
    progress.update(filesDone, filesTotal, "files");
  });
  try {
    return await context.ready();
  } finally {
    progress.finish(null);
    stopProgress();
  }
}
