/** `midspan clear`: removes what Midspan has stored and can make again. */
import { rm } from "node:fs/promises";
import { CompletionError } from "../core/index.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import { loadSettings } from "./load-settings.ts";

/** Removes the stored indexes of all workspaces. Models, events and settings stay. */
export async function clearCommand(): Promise<ExitCode> {
  const workspace = findWorkspace(null, process.cwd());
  const { folders } = await loadSettings(workspace, {});
  try {
    await rm(folders.cache, { recursive: true, force: true });
  } catch (cause) {
    throw new CompletionError("STORAGE_FULL", `${folders.cache} cannot be removed`, { cause });
  }
  process.stdout.write(`Removed ${folders.cache}; each index is made again when it is needed.\n`);
  return 0;
}
