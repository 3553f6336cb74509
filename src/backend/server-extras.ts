import type { BackendKind } from "./backend-spec.ts";

/** What is known of one server beyond its kind: found by `probeBackend`, or set by a person. */
export interface ServerExtras {
  /** Prompt and output together; `null` when unknown. Ollama is also told to use it. */
  readonly contextTokens: number | null;
  /** At most so many stop strings; the others are cut by us. `null` for no limit. */
  readonly maxStops: number | null;
  /** Knows `stream_options`, without which token counts stay away. */
  readonly hasUsage: boolean;
  readonly hasLogProbabilities: boolean;
  /** Says how many tokens of the prompt were in its cache. */
  readonly hasCachedTokens: boolean;
  /** vLLM with `--scheduling-policy priority`, SGLang with `--enable-priority-scheduling`. */
  readonly hasPriority: boolean;
  /** vLLM or SGLang can hold the text to a regular expression or a grammar. */
  readonly hasConstraints: boolean;
  /** vLLM, SGLang: keeps this team's KV cache apart from others'. `null` for none. */
  readonly cacheSalt: string | null;
  /**
   * llama.cpp, on a server of our own: the slots of what a person waits for and of what is asked
   * ahead. `null`: the server takes the slot whose cache fits best.
   */
  readonly slots: { readonly foreground: number; readonly prefetch: number } | null;
  /** llama.cpp: prefix and suffix go to `/infill`, and the server writes the prompt. */
  readonly isInfill: boolean;
}

const plain: ServerExtras = {
  contextTokens: null,
  maxStops: null,
  hasUsage: false,
  hasLogProbabilities: false,
  hasCachedTokens: false,
  hasPriority: false,
  hasConstraints: false,
  cacheSalt: null,
  slots: null,
  isInfill: false,
};

/** What each kind can do in every version and with every setting of its own. */
const known: Readonly<Record<BackendKind, Partial<ServerExtras>>> = {
  "llama.cpp": {},
  vllm: { hasUsage: true, hasLogProbabilities: true },
  sglang: { hasUsage: true, hasLogProbabilities: true },
  // OpenAI itself refuses a fifth stop; others may refuse what they do not know.
  openai: { maxStops: 4 },
  // The default on machines with little graphics memory.
  ollama: { contextTokens: 4096 },
  mistral: {},
  deepseek: { hasUsage: true, hasLogProbabilities: true, hasCachedTokens: true, maxStops: 16 },
  // Its own default, `--max-stop-sequences`.
  tgi: { maxStops: 4 },
};

/** Complete extras of a server: those of its kind, and over them what is known of it. */
export function extrasOf(kind: BackendKind, found: Partial<ServerExtras>): ServerExtras {
  const usual = { ...plain, ...known[kind] };
  // A server that says nothing about its context length leaves what is usual.
  return { ...usual, ...found, contextTokens: found.contextTokens ?? usual.contextTokens };
}
