/**
 * OpenAI's `/v1/completions` with a prompt that we render, for any server that speaks it, and with
 * what vLLM and SGLang add to it. `suffix` is never sent: vLLM refuses it, SGLang and llama.cpp
 * ignore it, and with some templates it ends up as the word `None` in the prompt.
 */
import {
  type BackendRequest,
  bareCapabilities,
  isOnlyBlanks,
  type RequestPriority,
} from "../core/index.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { listAt, textAt } from "./json-value.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import { renderedPrompt } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";

/** In vLLM a lower number comes earlier, in SGLang a higher one. */
const vllmPriorities: Readonly<Record<RequestPriority, number>> = {
  invoked: 0,
  automatic: 10,
  prefetch: 20,
  "warm-up": 30,
};
const sglangPriorities: Readonly<Record<RequestPriority, number>> = {
  invoked: 20,
  automatic: 10,
  prefetch: 0,
  "warm-up": -10,
};

/** The adapter for `openai`, `vllm` and `sglang`, which differ in their extras only. */
export function openAiAdapter(
  connection: Connection,
  options: { readonly kind: "openai" | "vllm" | "sglang"; readonly extras: ServerExtras },
): Adapter {
  const { kind, extras } = options;
  return {
    kind,
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      logProbabilities: extras.hasLogProbabilities,
      cachedTokens: extras.hasCachedTokens,
      contextTokens: extras.contextTokens,
      maxStops: extras.maxStops,
      forcedPrefix: extras.hasConstraints,
      grammar: extras.hasConstraints,
      priority: extras.hasPriority,
      cacheSalt: extras.cacheSalt !== null,
    },
    call: (request) => {
      const { text } = renderedPrompt(request.prompt);
      const { priority = "automatic" } = request;
      const priorities = kind === "sglang" ? sglangPriorities : vllmPriorities;
      const body = {
        ...completionFields(request, extras),
        prompt: text,
        ...(extras.hasPriority ? { priority: priorities[priority] } : {}),
        ...(extras.cacheSalt === null ? {} : { cache_salt: extras.cacheSalt }),
        ...(extras.hasConstraints ? constraintFields(request, kind) : {}),
      };
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

/** What all of the family take but the prompt. Always limit and temperature: defaults differ. */
export function completionFields(
  request: BackendRequest,
  extras: Pick<ServerExtras, "hasUsage" | "hasLogProbabilities" | "maxStops">,
): Readonly<Record<string, unknown>> {
  const { model, maxTokens, temperature, stop } = request;
  const stops = stop.slice(0, extras.maxStops ?? stop.length);
  return {
    model,
    max_tokens: maxTokens,
    temperature,
    ...(stops.length === 0 ? {} : { stop: stops }),
    stream: true,
    ...(extras.hasUsage ? { stream_options: { include_usage: true } } : {}),
    ...(extras.hasLogProbabilities && request.logProbabilities === true ? { logprobs: 1 } : {}),
  };
}

/** vLLM takes `structured_outputs`, SGLang `regex` or `ebnf`. */
function constraintFields(
  { grammar, forcedPrefix = "" }: BackendRequest,
  kind: string,
): Readonly<Record<string, unknown>> {
  if (grammar === undefined && forcedPrefix === "") return {};
  const literal = forcedPrefix.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const regex = `${literal}${isOnlyBlanks(forcedPrefix) ? "([^ \\t\\r\\n][\\s\\S]*)?" : "[\\s\\S]*"}`;
  if (kind === "sglang") return grammar === undefined ? { regex } : { ebnf: grammar };
  return { structured_outputs: grammar === undefined ? { regex } : { grammar } };
}
