/** Where the embedded engine lies, and what lies there. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CompletionError } from "../../core/index.ts";
import { isMissing } from "../file-error.ts";
import { ENGINE_PACKAGE, ENGINE_VERSION } from "./engine-version.ts";

/** An engine that was installed. */
export interface InstalledEngine {
  readonly folder: string;
  readonly version: string;
  /** Names of the prebuilt libraries, such as `@node-llama-cpp/linux-x64`. */
  readonly libraries: readonly string[];
}

/** The folder below Midspan's data; each version has its own, so that an update is one rename. */
export function engineFolder(dataFolder: string): string {
  return join(enginesFolder(dataFolder), `${ENGINE_PACKAGE}-${ENGINE_VERSION}`);
}

/** The folder of all versions. */
export function enginesFolder(dataFolder: string): string {
  return join(dataFolder, "engine");
}

/** What is in the folder; `null` when no engine is. */
export async function installedEngine(folder: string): Promise<InstalledEngine | null> {
  const modules = join(folder, "node_modules");
  try {
    const manifest = await readFile(join(modules, ENGINE_PACKAGE, "package.json"), "utf8");
    const version = /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1];
    const names = await readdir(join(modules, `@${ENGINE_PACKAGE}`));
    const libraries = names.map((name) => `@${ENGINE_PACKAGE}/${name}`);
    if (version === undefined || libraries.length === 0) return null;
    return { folder, version, libraries };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The engine in the folder. Throws `MODEL_SERVER_FAILED` when there is none. */
export async function requireEngine(folder: string): Promise<InstalledEngine> {
  const installed = await installedEngine(folder);
  if (installed !== null) return installed;
  throw new CompletionError(
    "MODEL_SERVER_FAILED",
    `The embedded engine is not installed in ${folder}; run midspan model engine install`,
  );
}
