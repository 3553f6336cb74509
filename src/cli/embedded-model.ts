/** The embedded engine of this machine, with a model in it. */
import type { Log } from "../core/index.ts";
import { systemClock } from "../host/clock.ts";
import { createEmbeddedBackend, type EmbeddedBackend } from "../host/embedded/embedded-backend.ts";
import { engineFolder } from "../host/embedded/engine-folder.ts";
import type { GpuChoice } from "../host/embedded/messages.ts";
import type { StateFolders } from "../host/state-folders.ts";

/** Loads the model. Throws `MODEL_SERVER_FAILED` when the engine is not installed, and says how. */
export function startEmbeddedModel(options: {
  readonly modelFile: string;
  readonly threads: number;
  readonly gpu: GpuChoice;
  /** Prompt and output together. */
  readonly contextTokens: number;
  readonly folders: StateFolders;
  readonly log: Log;
}): Promise<EmbeddedBackend> {
  const { folders, ...rest } = options;
  return createEmbeddedBackend({
    ...rest,
    engineFolder: engineFolder(folders.data),
    childFile: engineChildFile(),
    speculates: true,
    clock: systemClock,
  });
}

/** The built child lies beside the built program, whichever chunk this code ended up in. */
export function engineChildFile(): URL {
  return new URL("../host/embedded/child.js", import.meta.url);
}
