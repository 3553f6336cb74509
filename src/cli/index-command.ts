/** `midspan index`: brings the stored index of a workspace up to date, or removes it. */
import { clearWorkspaceState } from "../host/workspace-state.ts";
import { awaitSymbols, buildIndex } from "./build-index.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { indexSummary } from "./index-summary.ts";
import { loadSettings } from "./load-settings.ts";
import { createProduct } from "./product.ts";

export async function indexCommand(options: {
  readonly dir: string | null;
  readonly clear: boolean;
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const workspace = findWorkspace(options.dir);
  const { resolved, folders } = await loadSettings(workspace, options.flags);
  if (options.clear) {
    const wasThere = await clearWorkspaceState(folders.cache, workspace);
    const what = wasThere ? "Removed the stored index" : "There is no stored index";
    process.stdout.write(`${what} of ${workspace}\n`);
    return 0;
  }
  const { settings } = resolved;
  // No model server has a part in this.
  const local = { ...settings, backend: "none" };
  const product = await createProduct({
    workspace,
    settings: local,
    folders,
    isWatched: false,
    hasSymbols: true,
  });
  try {
    if (product.index === null) throw new UsageError("the local model is off (--local on)");
    const report = await buildIndex(product.index);
    const symbols = product.context === null ? null : await awaitSymbols(product.context);
    const text = options.json
      ? JSON.stringify({ ...report, symbols }, null, 2)
      : indexSummary(report, symbols);
    process.stdout.write(`${text}\n`);
    return 0;
  } finally {
    await product.close();
  }
}
