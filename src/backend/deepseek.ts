/**
 * DeepSeek's `/beta/completions`: OpenAI's old completions with a suffix that works. Token counts ride
 * on the last event with text instead of one of their own. At most 4,096 tokens come back.
 */
import { bareCapabilities } from "../core/index.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { listAt, textAt } from "./json-value.ts";
import { completionFields } from "./openai.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import { promptParts } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";

export function deepseekAdapter(connection: Connection, extras: ServerExtras): Adapter {
  return {
    kind: "deepseek",
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      fim: "server",
      logProbabilities: extras.hasLogProbabilities,
      cachedTokens: extras.hasCachedTokens,
      contextTokens: extras.contextTokens,
      maxStops: extras.maxStops,
    },
    call: (request) => {
      const { prefix, suffix } = promptParts(request.prompt);
      const body = { ...completionFields(request, extras), prompt: prefix, suffix };
      const { model } = request;
      return { path: "/beta/completions", body, model, prompt: prefix + suffix };
    },
    read: readOpenAiEvent,
    listModels: async (options) => {
      const reply = await connection.get("/models", options);
      return listAt(reply, "data").flatMap((model) => textAt(model, "id") ?? []);
    },
  };
}
