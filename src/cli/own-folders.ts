/** Where this person's state lies, for commands that need no settings. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type StateFolders, stateFolders } from "../host/state-folders.ts";

/** Cache and data, as `MIDSPAN_HOME` or the platform says. */
export function ownFolders(): StateFolders {
  return stateFolders({
    environment: process.env,
    platform: process.platform,
    homeFolder: homedir(),
  });
}

/** Unpacked packages can be fetched again: they lie in the cache. */
export function corpusFolder(): string {
  return join(ownFolders().cache, "corpora");
}
