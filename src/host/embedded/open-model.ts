/** A model in memory with its two KV caches, in the child process. */
import { basename } from "node:path";
import { CompletionError } from "../../core/index.ts";
import type { AnswerParts } from "./answer.ts";
import type { EngineContext, EngineLibrary, EngineLlama, EngineModel } from "./engine-library.ts";
import { type EngineFacts, laneNames, type OpenMessage } from "./messages.ts";
import { PromptTokenizer } from "./prompt-tokens.ts";

/** One pass cannot be stopped; with 256 tokens a model of 1.5 B on four cores takes some 2 s. */
const CHUNK_TOKENS = 256;
/** The last piece of a prompt and the longest draft go in one pass. */
const BATCH_TOKENS = CHUNK_TOKENS + 32;

/** What all answers share. */
export interface OpenedModel extends Omit<AnswerParts, "sequence" | "gate" | "emit"> {
  readonly context: EngineContext;
}

/** What was opened. */
export interface Opened {
  readonly facts: EngineFacts;
  /** `null` when only the library was asked for. */
  readonly model: OpenedModel | null;
}

/** Starts the library and loads the model. Throws `MODEL_SERVER_FAILED` with what to do. */
export async function openModel(
  library: EngineLibrary,
  call: OpenMessage,
  onLog: (message: string) => void,
): Promise<Opened> {
  const llama = await startLlama(library, call, onLog);
  const threads = Math.max(1, Math.min(call.threads, llama.cpuMathCores));
  const facts = { threads, gpu: llama.gpu === false ? "off" : llama.gpu };
  if (call.modelFile === null) {
    await llama.dispose();
    return { facts: { ...facts, contextTokens: 0 }, model: null };
  }
  const name = basename(call.modelFile);
  try {
    const model = await llama.loadModel({
      modelPath: call.modelFile,
      ...(call.gpu === "off" ? { gpuLayers: 0 as const } : {}),
    });
    const context = await model.createContext({
      contextSize: Math.min(call.contextTokens, model.trainContextSize),
      sequences: laneNames.length,
      batchSize: BATCH_TOKENS,
      threads,
      // A sliding window could not be cut back to where the next prompt differs.
      swaFullCache: true,
      flashAttention: facts.gpu === "off" ? false : "auto",
    });
    const contextTokens = context.contextSize;
    return {
      facts: { ...facts, contextTokens },
      model: {
        context,
        model,
        contextTokens,
        chunkTokens: CHUNK_TOKENS,
        tokenizer: new PromptTokenizer(model),
        grammarState: (grammar) => grammarState(grammar, { library, llama, model }),
      },
    };
  } catch (cause) {
    const says =
      cause instanceof library.InsufficientMemoryError
        ? `has no memory for ${name}; take a smaller model or fewer context tokens`
        : `cannot load ${name}: ${firstLine(cause)}`;
    throw new CompletionError("MODEL_SERVER_FAILED", `The embedded engine ${says}`, { cause });
  }
}

async function startLlama(
  library: EngineLibrary,
  { gpu, threads }: OpenMessage,
  onLog: (message: string) => void,
): Promise<EngineLlama> {
  try {
    return await library.getLlama({
      gpu: gpu === "off" ? false : gpu,
      build: "never",
      skipDownload: true,
      // Without a limit it takes at least four, and threads that wait for a core spin.
      maxThreads: threads,
      logLevel: "error",
      logger: (_, message) => onLog(message.trim()),
    });
  } catch (cause) {
    throw new CompletionError(
      "MODEL_SERVER_FAILED",
      `The embedded engine does not start (GPU: ${gpu}): ${firstLine(cause)}; install it again with midspan model engine install`,
      { cause },
    );
  }
}

async function grammarState(
  grammar: string,
  parts: {
    readonly library: EngineLibrary;
    readonly llama: EngineLlama;
    readonly model: EngineModel;
  },
): Promise<unknown> {
  const { library, llama, model } = parts;
  try {
    const parsed = await llama.createGrammar({ grammar });
    return new library.LlamaGrammarEvaluationState({ model, grammar: parsed });
  } catch (cause) {
    const message = `The embedded engine cannot read the grammar: ${firstLine(cause)}`;
    throw new CompletionError("BACKEND_REFUSED", message, { cause });
  }
}

/** What an error of the library says, in one line without a dot at its end. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").trim().slice(0, 300).replace(/\.$/, "");
}
