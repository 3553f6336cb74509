import { type BackendDialect, type WireAnswer, wireUsage } from "./backend-dialect.ts";
import type { RecordedRequest, WireReply } from "./scripted-server.ts";

/** `/completion` as llama-server speaks it: signs of life while it reads the prompt, then text. */
export const llamaCppDialect: BackendDialect = {
  contentType: "text/event-stream",
  path: "/completion",
  fields: [
    "model",
    "prompt",
    "n_predict",
    "temperature",
    "stop",
    "stream",
    "cache_prompt",
    "return_progress",
    "response_fields",
    "id_slot",
    "n_probs",
    "grammar",
  ],
  usage: wireUsage,
  answer: (answer) =>
    [
      event({
        content: "",
        stop: false,
        prompt_progress: { total: 120, cache: 100, processed: 0 },
      }),
      ": ping",
      ...answer.pieces.map((content, i) => event(piece(content, answer, i))),
      ...(answer.finishReason === null ? [] : [event(end(answer.finishReason))]),
      "",
    ].join("\n\n"),
  brokenAnswer: (begun, message) =>
    `${event({ content: begun, stop: false })}\n\n` +
    `${event({ error: { code: 500, message, type: "server_error" } })}\n\n`,
  models: (ids) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) }),
  side: (request) => (request.path === "/tokenize" ? tokenized(request) : null),
};

const event = (value: unknown): string => `data: ${JSON.stringify(value)}`;

function end(finishReason: string): unknown {
  return {
    content: "",
    stop: true,
    stop_type: finishReason === "length" ? "limit" : "eos",
    tokens_evaluated: wireUsage.inputTokens,
    timings: {
      cache_n: wireUsage.cachedTokens,
      prompt_n: wireUsage.inputTokens - wireUsage.cachedTokens,
      predicted_n: wireUsage.outputTokens,
    },
    model: "first",
  };
}

function piece(content: string, { logProbabilities }: WireAnswer, i: number): unknown {
  const probabilities =
    logProbabilities === undefined
      ? {}
      : { completion_probabilities: [{ id: 1, token: content, logprob: logProbabilities[i] }] };
  return { index: 0, content, tokens: [1], stop: false, ...probabilities };
}

/** One id for what looks like a sentinel, if those are wanted; else one for each byte. */
function tokenized({ body }: RecordedRequest): WireReply {
  const { content, parse_special } = JSON.parse(body);
  const tokens = [content].flat().flatMap((part: string | number) => {
    if (typeof part === "number") return [part];
    if (parse_special && /^<\|\w+\|>$/.test(part)) return [1000 + part.length];
    return [...Buffer.from(part, "utf8")];
  });
  return {
    headers: { "content-type": "application/json; charset=utf-8" },
    steps: [{ kind: "write", bytes: JSON.stringify({ tokens }) }],
  };
}
