/** Whether an installed engine works on this machine: it is loaded in a process of its own. */
import type { Log } from "../../core/index.ts";
import { startEngineProcess } from "./engine-process.ts";
import type { EngineFacts } from "./messages.ts";

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts the library without a model and ends it again. Throws `MODEL_SERVER_FAILED`. */
export async function tryEngine(options: {
  readonly engineFolder: string;
  /** The built `dist/host/embedded/child.js`. */
  readonly childFile: URL;
  readonly threads: number;
  readonly signal: AbortSignal;
}): Promise<EngineFacts> {
  const { engineFolder, childFile, threads, signal } = options;
  let leave = (): void => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const engine = await startEngineProcess({
    childFile,
    open: { kind: "open", engineFolder, modelFile: null, threads, gpu: "auto", contextTokens: 0 },
    onReply: () => {},
    onExit: leave,
    log: silent,
    signal,
  });
  engine.kill();
  await gone;
  return engine.facts;
}
