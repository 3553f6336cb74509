import { describe, expect, it } from "vitest";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { type BackendDialect, wireUsage } from "../testing/backend-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import { createBackend } from "./create-backend.ts";

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** One JSON value a line; the last one says `done`; an error is a line after the status 200. */
const dialect: BackendDialect = {
  contentType: "application/x-ndjson",
  path: "/api/generate",
  fields: [
    "model",
    "prompt",
    "raw",
    "stream",
    "think",
    "truncate",
    "shift",
    "keep_alive",
    "logprobs",
    "options",
    "options.num_predict",
    "options.temperature",
    "options.stop",
    "options.repeat_penalty",
    "options.num_ctx",
  ],
  usage: { ...wireUsage, cachedTokens: 0 },
  answer: ({ pieces, finishReason, logProbabilities }) =>
    [
      ...pieces.map((response, i) =>
        line({
          model: "m",
          created_at: "2026-01-01T00:00:00Z",
          response,
          done: false,
          ...(logProbabilities && {
            logprobs: [{ token: response, logprob: logProbabilities[i] }],
          }),
        }),
      ),
      finishReason === null
        ? ""
        : line({
            model: "m",
            response: "",
            done: true,
            done_reason: finishReason,
            prompt_eval_count: wireUsage.inputTokens,
            eval_count: wireUsage.outputTokens,
          }),
    ].join(""),
  brokenAnswer: (begun, message) =>
    line({ response: begun, done: false }) + line({ error: message }),
  models: (ids) => JSON.stringify({ models: ids.map((name) => ({ name, model: name })) }),
};

describeBackendContract(
  "ollama",
  ({ url, http, apiKey }) =>
    createBackend({ kind: "ollama", url }, { http, apiKey, extras: { hasLogProbabilities: true } }),
  {
    dialect,
    notSupported: ["cachedTokens", "forcedPrefix", "grammar", "priority", "cacheSalt", "tokenize"],
  },
);

describe("what a request to Ollama says", () => {
  const body = async (contextTokens?: number) => {
    const extras = contextTokens === undefined ? {} : { contextTokens };
    const { body } = await sentCall((http) =>
      createBackend({ kind: "ollama", url: "http://host" }, { http, apiKey: null, extras }),
    );
    return body;
  };

  it("is a raw prompt that is not cut, and no thinking", async () => {
    expect(await body()).toEqual({
      model: "m",
      prompt: "<P>a<S>b<M>",
      raw: true,
      stream: true,
      think: false,
      truncate: false,
      shift: false,
      keep_alive: "30m",
      options: { num_predict: 8, temperature: 0, stop: [], repeat_penalty: 1, num_ctx: 4096 },
    });
  });

  it("names the context length that was found, in every request the same", async () => {
    expect(await body(16384)).toMatchObject({ options: { num_ctx: 16384 } });
  });
});
