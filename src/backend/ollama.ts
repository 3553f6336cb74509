/**
 * Ollama's `/api/generate` in raw mode, with a prompt that we render: its own `suffix` works only where
 * the model's template has a place for it, and not at the end of a file. The options that make it load
 * the model anew are the same in every request. A prompt over the context length is an error: what
 * Ollama would cut away is the text before the cursor, sentinel and all.
 */
import { type BackendRequest, bareCapabilities } from "../core/index.ts";
import type { WireEvent } from "./completion-stream.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";
import { openAiFinish } from "./openai-reader.ts";
import { renderedPrompt } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";

/** Five minutes by default, after which the next completion would wait for the model to load. */
const KEEP_ALIVE = "30m";

export function ollamaAdapter(connection: Connection, extras: ServerExtras): Adapter {
  return {
    kind: "ollama",
    framing: "json-lines",
    capabilities: {
      ...bareCapabilities,
      logProbabilities: extras.hasLogProbabilities,
      contextTokens: extras.contextTokens,
    },
    call: (request) => {
      const { text } = renderedPrompt(request.prompt);
      const { model } = request;
      const body = {
        model,
        prompt: text,
        raw: true,
        stream: true,
        // Models that can think do so unless told not to.
        think: false,
        truncate: false,
        shift: false,
        keep_alive: KEEP_ALIVE,
        options: optionsOf(request, extras),
        ...(extras.hasLogProbabilities && request.logProbabilities === true
          ? { logprobs: true }
          : {}),
      };
      return { path: "/api/generate", body, model, prompt: text };
    },
    read: readOllamaEvent,
    isLast: isOllamaEnd,
    listModels: async (options) => {
      const reply = await connection.get("/api/tags", options);
      return listAt(reply, "models").flatMap((model) => textAt(model, "name") ?? []);
    },
  };
}

function optionsOf(
  { maxTokens, temperature, stop }: BackendRequest,
  { contextTokens }: ServerExtras,
): Readonly<Record<string, unknown>> {
  return {
    num_predict: maxTokens,
    temperature,
    stop,
    // The model's own settings may punish repetition, which code is full of.
    repeat_penalty: 1,
    ...(contextTokens === null ? {} : { num_ctx: contextTokens }),
  };
}

function readOllamaEvent(value: unknown): WireEvent {
  const logProbabilities = listAt(value, "logprobs").flatMap(
    (token) => numberAt(token, "logprob") ?? [],
  );
  const event: WireEvent = {
    text: textAt(value, "response"),
    ...(logProbabilities.length === 0
      ? {}
      : { logProbability: logProbabilities.reduce((sum, each) => sum + each, 0) }),
  };
  if (!isOllamaEnd(value)) return event;
  return {
    ...event,
    finishReason: openAiFinish(textAt(value, "done_reason") ?? ""),
    usage: {
      inputTokens: numberAt(value, "prompt_eval_count") ?? 0,
      cachedTokens: 0,
      outputTokens: numberAt(value, "eval_count") ?? 0,
    },
  };
}

function isOllamaEnd(value: unknown): boolean {
  return at(value, "done") === true;
}
