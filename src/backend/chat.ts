/**
 * A model that can only chat, asked through `/v1/chat/completions` to fill a gap. Off unless somebody
 * switches it on: such models were not trained for it, wrap code in prose and fences, and are slow.
 */
import { bareCapabilities } from "../core/index.ts";
import type { Connection } from "./connection.ts";
import type { Adapter } from "./http-backend.ts";
import { completionFields, listOpenAiModels } from "./openai.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import { promptParts } from "./prompt-kinds.ts";
import type { ServerExtras } from "./server-extras.ts";

/** To be shown once to whoever switches it on. */
export const chatWarning =
  "chat models were not trained to fill in the middle: expect slower and worse completions than from a small base model";

const GAP = "<GAP/>";

const instruction =
  `You complete code at a cursor. The user sends a file in which ${GAP} marks the cursor. ` +
  "Answer with exactly the text to insert there and nothing else: no explanation, no code fence, " +
  "nothing of what stands before or after it. Keep it short. If nothing fits, answer with nothing.";

export function chatAdapter(connection: Connection, extras: ServerExtras): Adapter {
  return {
    kind: "chat",
    framing: "sse",
    capabilities: {
      ...bareCapabilities,
      fim: "server",
      contextTokens: extras.contextTokens,
      maxStops: extras.maxStops,
    },
    call: (request) => {
      const { prefix, suffix } = promptParts(request.prompt);
      const body = {
        // Log-probabilities have another form here.
        ...completionFields({ ...request, logProbabilities: false }, extras),
        messages: [
          { role: "system", content: instruction },
          { role: "user", content: prefix + GAP + suffix },
        ],
      };
      const { model } = request;
      return { path: "/v1/chat/completions", body, model, prompt: prefix + suffix };
    },
    read: readOpenAiEvent,
    listModels: (options) => listOpenAiModels(connection, options),
  };
}
