import { describe, expect, it } from "vitest";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { type BackendDialect, wireUsage } from "../testing/backend-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import { createBackend } from "./create-backend.ts";

/** No blank after `data:`; the end token arrives as text of a special token. */
const event = (value: unknown): string => `data:${JSON.stringify(value)}\n\n`;

const dialect: BackendDialect = {
  contentType: "text/event-stream",
  path: "/generate_stream",
  fields: [
    "inputs",
    "parameters",
    "parameters.max_new_tokens",
    "parameters.do_sample",
    "parameters.temperature",
    "parameters.stop",
    "parameters.return_full_text",
    "parameters.details",
  ],
  usage: { inputTokens: wireUsage.inputTokens, cachedTokens: 0, outputTokens: 2 },
  answer: ({ pieces, finishReason, logProbabilities }) =>
    [
      ...pieces.map((text, i) =>
        event({
          index: i + 1,
          token: { id: 7, text, logprob: logProbabilities?.[i] ?? -1, special: false },
          generated_text: null,
          details: null,
        }),
      ),
      finishReason === null ? "" : event(end(pieces, finishReason)),
    ].join(""),
  brokenAnswer: (begun, message) =>
    event({ token: { text: begun, special: false }, generated_text: null, details: null }) +
    event({ error: message, error_type: "generation" }),
  models: () => JSON.stringify({ model_id: "first", max_total_tokens: 4096 }),
};

function end(pieces: readonly string[], finishReason: string): unknown {
  return {
    index: pieces.length + 1,
    token: { id: 0, text: "<|endoftext|>", logprob: 0, special: true },
    generated_text: pieces.join(""),
    details: {
      finish_reason: finishReason === "length" ? "length" : "eos_token",
      generated_tokens: wireUsage.outputTokens,
      input_length: wireUsage.inputTokens,
    },
  };
}

describeBackendContract(
  "tgi",
  ({ url, http, apiKey }) => createBackend({ kind: "tgi", url }, { http, apiKey }),
  {
    dialect,
    notSupported: ["cachedTokens", "forcedPrefix", "grammar", "priority", "cacheSalt", "tokenize"],
  },
);

describe("what a request to text-generation-inference says", () => {
  it("is greedy without a temperature, which it refuses to be 0", async () => {
    const { body } = await sentCall(
      (http) => createBackend({ kind: "tgi", url: "http://host" }, { http, apiKey: null }),
      { stop: ["1", "2", "3", "4", "5"] },
    );
    expect(body).toEqual({
      inputs: "<P>a<S>b<M>",
      parameters: {
        max_new_tokens: 8,
        do_sample: false,
        stop: ["1", "2", "3", "4"],
        return_full_text: false,
        details: true,
      },
    });
  });
});
