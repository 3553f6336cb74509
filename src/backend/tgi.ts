/**
 * Hugging Face's text-generation-inference through `/generate_stream`, which every version has. The
 * project is in maintenance; new set-ups do better with vLLM or SGLang. It sends the text of stops and
 * special tokens along, refuses a temperature of 0, and knows one model only.
 */
import { type BackendRequest, bareCapabilities } from "../core/index.ts";
import type { WireEvent } from "./completion-stream.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { at, numberAt, textAt } from "./json-value.ts";
import { openAiFinish } from "./openai-reader.ts";
import { renderedPrompt } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";

export function tgiAdapter(connection: Connection, extras: ServerExtras): Adapter {
  return {
    kind: "tgi",
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      logProbabilities: true,
      contextTokens: extras.contextTokens,
      maxStops: extras.maxStops,
    },
    call: (request) => {
      const { text } = renderedPrompt(request.prompt);
      const body = { inputs: text, parameters: parametersOf(request, extras) };
      return { path: "/generate_stream", body, model: null, prompt: text };
    },
    read: readTgiEvent,
    isLast: isTgiEnd,
    listModels: async (options) => {
      const model = textAt(await connection.get("/info", options), "model_id");
      return model === undefined ? [] : [model];
    },
  };
}

function parametersOf(
  { maxTokens, temperature, stop }: BackendRequest,
  { maxStops }: ServerExtras,
): Readonly<Record<string, unknown>> {
  return {
    max_new_tokens: maxTokens,
    ...(temperature > 0 ? { do_sample: true, temperature } : { do_sample: false }),
    stop: stop.slice(0, maxStops ?? stop.length),
    return_full_text: false,
    details: true,
  };
}

function readTgiEvent(value: unknown): WireEvent {
  const isSpecial = at(value, "token", "special") === true;
  const logProbability = isSpecial ? undefined : numberAt(value, "token", "logprob");
  const event: WireEvent = {
    text: isSpecial ? "" : textAt(value, "token", "text"),
    ...(logProbability === undefined ? {} : { logProbability }),
  };
  if (!isTgiEnd(value)) return event;
  const outputTokens = numberAt(value, "details", "generated_tokens");
  return {
    ...event,
    finishReason: openAiFinish(textAt(value, "details", "finish_reason") ?? ""),
    ...(outputTokens === undefined
      ? {}
      : {
          usage: {
            inputTokens: numberAt(value, "details", "input_length") ?? 0,
            cachedTokens: 0,
            outputTokens,
          },
        }),
  };
}

function isTgiEnd(value: unknown): boolean {
  return (at(value, "details") ?? at(value, "generated_text") ?? null) !== null;
}
