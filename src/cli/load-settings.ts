/** Reads every layer of settings for one command. */
import { homedir } from "node:os";
import { parseBackendSpec } from "../backend/index.ts";
import type { ConfigFile } from "../config/layers.ts";
import { type ResolvedSettings, resolveSettings } from "../config/resolve.ts";
import type { Settings } from "../config/schema.ts";
import { CompletionError } from "../core/index.ts";
import { readConfigFile, workspaceConfigFile } from "../host/config-file.ts";
import { fileErrorCode } from "../host/file-error.ts";
import { type StateFolders, stateFolders } from "../host/state-folders.ts";
import type { Flags } from "./flags.ts";
import { notice } from "./notice.ts";
import { makeFolder } from "./output-place.ts";

/** Settings and the folders that go with them. */
export interface LoadedSettings {
  readonly resolved: ResolvedSettings;
  readonly folders: StateFolders;
}

/** Throws `CONFIG_INVALID` that names the file, flag or variable. Warnings go to stderr. */
export async function loadSettings(
  workspace: string,
  flags: Flags,
  /** What an editor sends. */
  editor: ConfigFile | null = null,
): Promise<LoadedSettings> {
  const environment = process.env;
  const folders = stateFolders({
    environment,
    platform: process.platform,
    homeFolder: homedir(),
  });
  checkStateFolders(folders);
  const [user, ofWorkspace] = await Promise.all([
    readConfigFile(folders.configFile),
    readConfigFile(workspaceConfigFile(workspace)),
  ]);
  const resolved = resolveSettings({
    ...{ flags, environment, user, editor },
    workspace: ofWorkspace,
  });
  checkAddresses(resolved.settings);
  for (const warning of resolved.warnings) notice(warning);
  return { resolved, folders };
}

/** The table knows how an address begins; whether it is one is found out here, before anything starts. */
function checkAddresses(settings: Settings): void {
  const { backend } = settings;
  if (backend !== "none" && backend !== "auto") parseBackendSpec(backend);
  for (const key of ["context.embeddings", "models.mirror"] as const) {
    const address = settings[key];
    if (address === "" || URL.canParse(address)) continue;
    const shown = JSON.stringify(address.replace(/\/\/[^/@]*@/, "//…@"));
    throw new CompletionError(
      "CONFIG_INVALID",
      `${key} must be an address such as https://host:8080, not ${shown}`,
    );
  }
}

/**
 * A folder that cannot be written costs a start without a stored index, no more. One that cannot even be
 * missing, such as below `/proc`, is refused: Node's recursive `mkdir`, by which the rest makes folders,
 * would never return.
 */
function checkStateFolders({ cache, data }: StateFolders): void {
  for (const folder of [cache, data]) {
    try {
      makeFolder(folder, 0o700);
    } catch (cause) {
      if (fileErrorCode(cause) !== "ENOENT") continue;
      const message = `the state folder ${folder} cannot be made (ENOENT); set MIDSPAN_HOME to a folder that can be written`;
      throw new CompletionError("CONFIG_INVALID", message, { cause });
    }
  }
}
