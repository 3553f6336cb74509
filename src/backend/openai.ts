/**
 * OpenAI's `/v1/completions` with a prompt that we render, for any server that speaks it, and with
 * what vLLM and SGLang add to it. `suffix` is never sent: vLLM refuses it, SGLang and llama.cpp
 * ignore it, and with some templates it ends up as the word `None` in the prompt.
 */
import { type BackendRequest, bareCapabilities, type RequestPriority } from "../core/index.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { listAt, textAt } from "./json-value.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import { renderedPrompt } from "./prompt-kinds.ts";

/** What a server is known to accept beyond the plain fields. Everything is off unless switched on. */
export interface OpenAiExtras {
  /** Sends `stream_options`, so that token counts arrive; servers that do not know it refuse it. */
  readonly hasUsage: boolean;
  /** Accepts `logprobs`. */
  readonly hasLogProbabilities: boolean;
  /** vLLM started with `--scheduling-policy priority`; without it any priority is an error. */
  readonly hasPriority: boolean;
  /** vLLM: keeps this team's KV cache apart from others'. `null` for none. */
  readonly cacheSalt: string | null;
  /** How the text can be constrained: vLLM's `structured_outputs`, SGLang's `regex` and `ebnf`. */
  readonly constraints: "structured_outputs" | "regex" | null;
  /** The server reports how many prompt tokens came from its cache. */
  readonly hasCachedTokens: boolean;
  /** OpenAI itself takes four. `null` for no limit. */
  readonly maxStops: number | null;
}

export const plainExtras: OpenAiExtras = {
  hasUsage: false,
  hasLogProbabilities: false,
  hasPriority: false,
  cacheSalt: null,
  constraints: null,
  hasCachedTokens: false,
  maxStops: 4,
};

/** vLLM and SGLang always accept these. */
export const servingExtras: OpenAiExtras = {
  ...plainExtras,
  hasUsage: true,
  hasLogProbabilities: true,
  maxStops: null,
};

/** vLLM: a lower number comes earlier. */
const priorities: Readonly<Record<RequestPriority, number>> = {
  invoked: 0,
  automatic: 10,
  prefetch: 20,
};

/** The adapter for `openai`, `vllm` and `sglang`, which differ in their extras only. */
export function openAiAdapter(
  connection: Connection,
  options: { readonly kind: string; readonly extras: OpenAiExtras },
): Adapter {
  const { kind, extras } = options;
  return {
    kind,
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      logProbabilities: extras.hasLogProbabilities,
      cachedTokens: extras.hasCachedTokens,
      maxStops: extras.maxStops,
      forcedPrefix: extras.constraints !== null,
      grammar: extras.constraints !== null,
      priority: extras.hasPriority,
      cacheSalt: extras.cacheSalt !== null,
    },
    call: (request) => {
      const { text } = renderedPrompt(request.prompt);
      const body = { ...openAiBody(request, extras), prompt: text };
      return { path: "/v1/completions", body, model: request.model, prompt: text };
    },
    read: readOpenAiEvent,
    listModels: (cancellable) => listOpenAiModels(connection, cancellable),
  };
}

/** Ids at `/v1/models`, which every server of this family has. */
export async function listOpenAiModels(
  connection: Connection,
  options: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const reply = await connection.get("/v1/models", options);
  return listAt(reply, "data").flatMap((model) => textAt(model, "id") ?? []);
}

/** Every field but the prompt. `max_tokens` and `temperature` always: servers' defaults differ. */
function openAiBody(request: BackendRequest, extras: OpenAiExtras): Record<string, unknown> {
  const { model, maxTokens, temperature, stop, priority = "automatic" } = request;
  const stops = stop.slice(0, extras.maxStops ?? stop.length);
  return {
    model,
    max_tokens: maxTokens,
    temperature,
    ...(stops.length === 0 ? {} : { stop: stops }),
    stream: true,
    ...(extras.hasUsage ? { stream_options: { include_usage: true } } : {}),
    ...(extras.hasLogProbabilities && request.logProbabilities === true ? { logprobs: 1 } : {}),
    ...(extras.hasPriority ? { priority: priorities[priority] } : {}),
    ...(extras.cacheSalt === null ? {} : { cache_salt: extras.cacheSalt }),
    ...constraintFields(request, extras.constraints),
  };
}

function constraintFields(
  { grammar, forcedPrefix = "" }: BackendRequest,
  constraints: OpenAiExtras["constraints"],
): Record<string, unknown> {
  if (constraints === null || (grammar === undefined && forcedPrefix === "")) return {};
  const regex = `${forcedPrefix.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}[\\s\\S]*`;
  if (constraints === "regex") return grammar === undefined ? { regex } : { ebnf: grammar };
  return { structured_outputs: grammar === undefined ? { regex } : { grammar } };
}
