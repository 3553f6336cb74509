/** `midspan clear`: removes what Midspan has stored and can make again. */
import { clearFolder } from "../host/workspace-state.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import { loadSettings } from "./load-settings.ts";

/** Removes the stored indexes of all workspaces. Models, events and settings stay. */
export async function clearCommand(): Promise<ExitCode> {
  const workspace = findWorkspace(null);
  const { folders } = await loadSettings(workspace, {});
  const wasThere = await clearFolder(folders.cache);
  process.stdout.write(
    wasThere
      ? `Removed ${folders.cache}; each index is made again when it is needed.\n`
      : `Nothing is stored in ${folders.cache}.\n`,
  );
  return 0;
}
