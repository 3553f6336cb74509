/**
 * What we use of node-llama-cpp 3.21.1, as interfaces, and how it is loaded: from a folder of its own,
 * since it is no dependency of ours.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CompletionError } from "../../core/index.ts";
import { ENGINE_PACKAGE } from "./engine-version.ts";

export interface EngineLibrary {
  getLlama(options: {
    readonly gpu: "auto" | "metal" | "cuda" | "vulkan" | false;
    readonly build: "never";
    readonly skipDownload: true;
    readonly maxThreads: number;
    readonly logLevel: "error";
    readonly logger: (level: string, message: string) => void;
  }): Promise<EngineLlama>;
  readonly LlamaGrammarEvaluationState: new (options: {
    readonly model: EngineModel;
    readonly grammar: unknown;
  }) => unknown;
  readonly InsufficientMemoryError: new () => Error;
}

export interface EngineLlama {
  /** What computes; `false` is the processor. */
  readonly gpu: string | false;
  /** Cores that are good for arithmetic: hyper-threads and efficiency cores left out. */
  readonly cpuMathCores: number;
  loadModel(options: { readonly modelPath: string; readonly gpuLayers?: 0 }): Promise<EngineModel>;
  /** Rejects when the text is no GBNF. */
  createGrammar(options: { readonly grammar: string }): Promise<unknown>;
  dispose(): Promise<void>;
}

export interface EngineModel {
  readonly trainContextSize: number;
  readonly tokens: { readonly bos: number | null; readonly shouldPrependBosToken: boolean };
  tokenize(text: string, special: boolean): readonly number[];
  detokenize(tokens: readonly number[], special: boolean, before?: readonly number[]): string;
  /** Ends the text, or the file in a prompt of several files. */
  isEogToken(token: number): boolean;
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly batchSize: number;
    readonly threads: number;
    readonly swaFullCache: true;
    readonly flashAttention: "auto" | false;
  }): Promise<EngineContext>;
}

export interface EngineContext {
  /** Of one sequence; may be less than what was asked for where memory is short. */
  readonly contextSize: number;
  getSequence(): EngineSequence;
}

/** One KV cache. */
export interface EngineSequence {
  readonly nextTokenIndex: number;
  /** The state cannot be cut back: hybrid and recurrent models. */
  readonly needsCheckpoints: boolean;
  compareContextTokens(tokens: readonly number[]): { readonly firstDifferentIndex: number };
  eraseContextTokenRanges(
    ranges: readonly { readonly start: number; readonly end: number }[],
  ): Promise<void>;
  clearHistory(): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>;
  /** One pass over all tokens; what comes after each of them where that is asked for. */
  controlledEvaluate(
    input: readonly (number | readonly [number, { readonly generateNext: GenerateNext }])[],
  ): Promise<readonly (EngineOutput | undefined)[]>;
  /** Token by token. Leaving the loop leaves the last token unevaluated. */
  evaluate(
    tokens: readonly number[],
    options: {
      readonly temperature: number;
      readonly grammarEvaluationState: unknown;
      readonly yieldEogToken: true;
    },
  ): AsyncGenerator<number, void, void>;
  dispose(): Promise<void>;
}

/** How the token after another one is chosen. */
export interface GenerateNext {
  readonly token?: true;
  readonly probabilities?: true;
  readonly options: {
    readonly temperature: number;
    readonly topK?: number;
    readonly topP?: number;
    readonly seed?: number;
  };
}

export interface EngineOutput {
  readonly next: {
    readonly token?: number | null;
    /** The likeliest first. */
    readonly probabilities?: ReadonlyMap<number, number>;
  };
}

/** Loads the library from the folder into which it was installed. Throws `MODEL_SERVER_FAILED`. */
export async function loadEngineLibrary(engineFolder: string): Promise<EngineLibrary> {
  const entry = join(engineFolder, "node_modules", ENGINE_PACKAGE, "dist", "index.js");
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(entry).href);
  } catch (cause) {
    throw unusable(`cannot be loaded from ${engineFolder}`, cause);
  }
  if (!isEngineLibrary(loaded)) throw unusable(`in ${engineFolder} is not ${ENGINE_PACKAGE}`);
  return loaded;
}

function isEngineLibrary(value: unknown): value is EngineLibrary {
  if (typeof value !== "object" || value === null) return false;
  const names = ["getLlama", "LlamaGrammarEvaluationState", "InsufficientMemoryError"];
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}

function unusable(says: string, cause?: unknown): CompletionError {
  return new CompletionError(
    "MODEL_SERVER_FAILED",
    `The embedded engine ${says}; install it again with midspan model engine install`,
    { cause },
  );
}
