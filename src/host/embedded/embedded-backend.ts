/**
 * A model in a process of our own, as a backend: for a machine that has npm, a GGUF file and nothing
 * else. Two KV caches, greedy by default, drafts checked many tokens at a time. A crash of native code
 * costs the requests that it was answering; the process is started again.
 */
import { basename } from "node:path";
import { type Backend, type BackendCapabilities, bareCapabilities } from "../../core/index.ts";
import { modelNameOfFile, readGgufHeader } from "../gguf-header.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { requireEngine } from "./engine-folder.ts";
import type { EngineFacts } from "./messages.ts";

/** A backend whose model runs as long as it is not closed. */
export interface EmbeddedBackend extends Backend {
  readonly facts: EngineFacts;
  /** Of the child; `null` while there is none. For messages and tests. */
  readonly processId: number | null;
  /** Ends the process; requests that are under way fail. */
  close(): Promise<void>;
}

/**
 * Starts the engine and loads the model. Throws `MODEL_NOT_FOUND` and `MODEL_FILE_INVALID` for the
 * file, `MODEL_SERVER_FAILED` when the engine is not installed or does not start.
 */
export async function createEmbeddedBackend(options: EngineOptions): Promise<EmbeddedBackend> {
  await readGgufHeader(options.modelFile, { tokens: new Set() });
  await requireEngine(options.engineFolder);
  const engine = new Engine(options);
  const { facts } = await engine.process();
  const capabilities: BackendCapabilities = {
    ...bareCapabilities,
    logProbabilities: true,
    cachedTokens: true,
    contextTokens: facts.contextTokens,
    forcedPrefix: true,
    grammar: true,
    priority: true,
    tokenize: true,
  };
  return {
    kind: "embedded",
    address: `embedded:${basename(options.modelFile)}`,
    capabilities,
    facts,
    get processId() {
      return engine.processId;
    },
    complete: (request, { signal }) => engine.complete(request, signal),
    listModels: async () => [modelNameOfFile(options.modelFile)],
    countTokens: (text, { signal }) => engine.countTokens(text, signal),
    close: () => engine.close(),
  };
}
