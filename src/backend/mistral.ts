/**
 * Mistral's `/v1/fim/completions`: the server writes the prompt from prefix and suffix, answers in the
 * shape of its chat endpoint, and refuses every field that it does not know.
 */
import { bareCapabilities } from "../core/index.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { completionFields, listOpenAiModels } from "./openai.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import { promptParts } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";

/** Above it the server answers 422. */
const MAX_TEMPERATURE = 1.5;

export function mistralAdapter(connection: Connection, extras: ServerExtras): Adapter {
  return {
    kind: "mistral",
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      fim: "server",
      contextTokens: extras.contextTokens,
      maxStops: extras.maxStops,
    },
    call: (request) => {
      const { prefix, suffix } = promptParts(request.prompt);
      const temperature = Math.min(request.temperature, MAX_TEMPERATURE);
      const body = {
        ...completionFields({ ...request, temperature }, extras),
        prompt: prefix,
        suffix,
      };
      const { model } = request;
      return { path: "/v1/fim/completions", body, model, prompt: prefix + suffix };
    },
    read: readOpenAiEvent,
    listModels: (options) => listOpenAiModels(connection, options),
  };
}
