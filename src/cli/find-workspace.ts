import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CompletionError } from "../core/index.ts";

/**
 * The workspace: the folder that was named, else the nearest folder with `.git` from `start` upwards,
 * else `start`. Real path. Throws `WORKSPACE_UNREADABLE` when it is no folder that we may read.
 */
export function findWorkspace(named: string | null, start: string = currentFolder()): string {
  const folder = resolve(start, named ?? nearestRepository(start) ?? ".");
  if (!existsSync(folder)) {
    throw new CompletionError("WORKSPACE_UNREADABLE", `there is no folder ${folder}`);
  }
  if (!statSync(folder).isDirectory()) {
    throw new CompletionError("WORKSPACE_UNREADABLE", `${folder} is a file, not a folder`);
  }
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch (cause) {
    const message = `there is no permission to read the folder ${folder}`;
    throw new CompletionError("WORKSPACE_UNREADABLE", message, { cause });
  }
  return realpathSync(folder);
}

/** Where the program was started. Another program may have removed it since. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = "the current folder is gone; change to one that exists";
    throw new CompletionError("WORKSPACE_UNREADABLE", message, { cause });
  }
}

/** The nearest folder with `.git`; `null` when there is none up to the root. */
export function nearestRepository(start: string): string | null {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return null;
  }
}
