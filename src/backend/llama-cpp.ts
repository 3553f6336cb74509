/**
 * llama.cpp's server through its own `/completion`: the prompt goes as token ids, so that prefix and
 * suffix cannot be mistaken for control tokens and the KV cache is hit token by token. Always
 * streams, with a sign of life for each batch of the prompt: the server notices that we are gone
 * only when it writes. `/infill` is for models whose sentinels only the server knows; it ties the
 * length of the prompt to the batch, names every file `filename`, and parses sentinels in user text.
 */
import {
  type BackendRequest,
  bareCapabilities,
  forcingGrammar,
  type Usage,
} from "../core/index.ts";
import type { WireEvent } from "./completion-stream.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";
import { LlamaTokenizer } from "./llama-tokenizer.ts";
import { listOpenAiModels } from "./openai.ts";
import { renderedPrompt } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";
import type { Tokenize } from "./tokenize.ts";

/** What comes back at the end; without it the whole prompt is echoed. */
const responseFields = ["content", "stop", "stop_type", "tokens_evaluated", "timings", "model"];

export function llamaCppAdapter(connection: Connection, extras: ServerExtras): Adapter {
  const tokenizer = new LlamaTokenizer(tokenizeThrough(connection), connection.address);
  let servedModel: string | null = null;
  return {
    kind: "llama.cpp",
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      fim: extras.isInfill ? "server" : "client",
      logProbabilities: true,
      cachedTokens: true,
      contextTokens: extras.contextTokens,
      forcedPrefix: true,
      grammar: true,
      priority: extras.slots !== null,
      tokenize: true,
    },
    call: async (request, options) => {
      const { model, prompt } = request;
      const common = commonFields(request, extras);
      if (prompt.kind === "parts") {
        // `prompt` is the one field in which the server would parse sentinels: it stays empty.
        const parts = { input_prefix: prompt.prefix, input_suffix: prompt.suffix, prompt: "" };
        const text = prompt.prefix + prompt.suffix;
        return { path: "/infill", body: { ...common, ...parts }, model, prompt: text };
      }
      const { text, pieces } = renderedPrompt(prompt);
      const ids = pieces === undefined ? text : await tokenizer.prompt(pieces, options);
      return { path: "/completion", body: { ...common, prompt: ids }, model, prompt: text };
    },
    read: (value) => {
      const name = textAt(value, "model") ?? servedModel;
      // The server was started again with another model: its ids mean something else.
      if (servedModel !== null && name !== servedModel) tokenizer.reset();
      servedModel = name;
      return readLlamaCppEvent(value);
    },
    isLast: isLlamaCppEnd,
    // A server that was started again with another model may refuse ids that it does not know.
    onFailure: () => tokenizer.reset(),
    listModels: (options) => listOpenAiModels(connection, options),
    countTokens: (text, options) => tokenizer.count(text, options),
  };
}

function commonFields(request: BackendRequest, { slots }: ServerExtras): Record<string, unknown> {
  const { model, maxTokens, temperature, stop, priority, forcedPrefix = "" } = request;
  const grammar = request.grammar ?? (forcedPrefix === "" ? null : forcingGrammar(forcedPrefix));
  const slot = priority === "prefetch" ? slots?.prefetch : slots?.foreground;
  return {
    ...(model === "" ? {} : { model }),
    n_predict: maxTokens,
    temperature,
    stop,
    stream: true,
    cache_prompt: true,
    return_progress: true,
    response_fields: responseFields,
    ...(slot === undefined ? {} : { id_slot: slot }),
    ...(request.logProbabilities === true ? { n_probs: 1 } : {}),
    ...(grammar === null ? {} : { grammar }),
  };
}

/** One event of `/completion` or `/infill`. */
export function readLlamaCppEvent(value: unknown): WireEvent {
  const text = textAt(value, "content");
  const logProbabilities = listAt(value, "completion_probabilities").flatMap(
    (token) => numberAt(token, "logprob") ?? [],
  );
  const event: WireEvent =
    logProbabilities.length === 0
      ? { text }
      : { text, logProbability: logProbabilities.reduce((sum, each) => sum + each, 0) };
  if (!isLlamaCppEnd(value)) return event;
  return {
    ...event,
    finishReason: textAt(value, "stop_type") === "limit" ? "length" : "stop",
    usage: usageOf(value),
  };
}

function isLlamaCppEnd(value: unknown): boolean {
  return at(value, "stop") === true;
}

/** `prompt_n` tokens were evaluated and `cache_n` found in the cache. */
function usageOf(value: unknown): Usage {
  const cachedTokens = numberAt(value, "timings", "cache_n") ?? 0;
  const evaluated = numberAt(value, "timings", "prompt_n");
  return {
    inputTokens:
      evaluated === undefined
        ? (numberAt(value, "tokens_evaluated") ?? 0)
        : evaluated + cachedTokens,
    cachedTokens,
    outputTokens: numberAt(value, "timings", "predicted_n") ?? 0,
  };
}

/** The server's own tokenizer. */
export function tokenizeThrough(connection: Connection): Tokenize {
  return async (body, options) => {
    const prompt = [body.content].flat().join("");
    const call = { path: "/tokenize", body: { ...body }, model: null, prompt };
    const reply = await connection.post(call, options);
    const ids = at(reply, "tokens");
    const isList = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id) && id >= 0);
    // A text is some tokens: a server that says none has another idea of this endpoint.
    if (isList && (ids.length > 0 || prompt === "")) return ids;
    throw connection.oddAnswer(call, reply, '{"tokens": [numbers]}');
  };
}
