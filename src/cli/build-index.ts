/** Brings the index of a workspace up to date and shows how far it is. */
import type { IndexReport } from "../host/index-run.ts";
import type { WorkspaceIndex } from "../host/workspace-index.ts";
import { createProgress } from "./progress.ts";

/** Starts the index, with a progress bar on stderr; resolves when all is indexed. */
export async function buildIndex(index: WorkspaceIndex): Promise<IndexReport> {
  const progress = createProgress("Indexing", process.stderr);
  const stopProgress = index.onProgress(({ filesDone, filesTotal }) => {
    progress.update(filesDone, filesTotal, "files");
  });
  const stopWarnings = index.onWarning(({ message }) => progress.finish(`midspan: ${message}`));
  try {
    return await index.start();
  } finally {
    progress.finish(null);
    stopProgress();
    stopWarnings();
  }
}
