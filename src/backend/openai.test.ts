import { describe, expect, it } from "vitest";
import type { BackendRequest } from "../core/index.ts";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { openAiDialect } from "../testing/openai-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import type { BackendSpec } from "./backend-spec.ts";
import { createBackend } from "./create-backend.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import type { ServerExtras } from "./server-extras.ts";

const dialect = {
  path: "/v1/completions",
  text: "text",
  usage: "own-event",
  cached: "prompt_tokens_details",
} as const;

describeBackendContract(
  "openai",
  ({ url, http, apiKey }) => createBackend({ kind: "openai", url: `${url}/v1/` }, { http, apiKey }),
  {
    dialect: openAiDialect({ ...dialect, fields: ["prompt"] }),
    notSupported: [
      "logProbabilities",
      "cachedTokens",
      "forcedPrefix",
      "grammar",
      "priority",
      "cacheSalt",
      "tokenize",
    ],
  },
);

const servingFields = ["prompt", "stream_options", "stream_options.include_usage", "logprobs"];

describeBackendContract(
  "vllm as it comes",
  ({ url, http, apiKey }) => createBackend({ kind: "vllm", url }, { http, apiKey }),
  {
    dialect: openAiDialect({ ...dialect, fields: servingFields }),
    notSupported: ["cachedTokens", "forcedPrefix", "grammar", "priority", "cacheSalt", "tokenize"],
  },
);

const everything: Partial<ServerExtras> = {
  hasCachedTokens: true,
  hasPriority: true,
  hasConstraints: true,
  cacheSalt: "team",
};

describeBackendContract(
  "sglang with everything switched on",
  ({ url, http, apiKey }) =>
    createBackend({ kind: "sglang", url }, { http, apiKey, extras: everything }),
  {
    dialect: openAiDialect({
      ...dialect,
      fields: [...servingFields, "priority", "cache_salt", "regex", "ebnf"],
    }),
    notSupported: ["tokenize"],
  },
);

describe("what a request to a server of OpenAI's kind says", () => {
  const body = async (
    kind: BackendSpec["kind"],
    changes: Partial<BackendRequest>,
    extras: Partial<ServerExtras> = {},
  ) => {
    const spec = { kind, url: "http://127.0.0.1:1" };
    const call = await sentCall(
      (http) => createBackend(spec, { http, apiKey: null, extras }),
      changes,
    );
    return call.body;
  };

  it("is the plain completion, without a suffix", async () => {
    expect(await body("openai", { stop: ["\n"] })).toEqual({
      model: "m",
      prompt: "<P>a<S>b<M>",
      max_tokens: 8,
      temperature: 0,
      stop: ["\n"],
      stream: true,
    });
  });

  it("holds no more stops than the server takes", async () => {
    const stop = ["1", "2", "3", "4", "5"];
    expect(await body("openai", { stop })).toMatchObject({ stop: ["1", "2", "3", "4"] });
    expect(await body("vllm", { stop })).toMatchObject({ stop });
  });

  it("orders priorities as the server does", async () => {
    const sent = async (kind: BackendSpec["kind"]) =>
      Promise.all(
        (["invoked", "automatic", "prefetch"] as const).map(
          async (priority) => (await body(kind, { priority }, { hasPriority: true })).priority,
        ),
      );
    expect(await sent("vllm")).toEqual([0, 10, 20]);
    expect(await sent("sglang")).toEqual([20, 10, 0]);
  });

  it("forces a beginning by an expression in which every mark stands for itself", async () => {
    const changes = { forcedPrefix: "a[0]." };
    const vllm = await body("vllm", changes, { hasConstraints: true });
    expect(vllm.structured_outputs).toEqual({ regex: "a\\[0\\]\\.[\\s\\S]*" });
    const sglang = await body("sglang", changes, { hasConstraints: true });
    expect(sglang.regex).toBe("a\\[0\\]\\.[\\s\\S]*");
    expect(await body("vllm", changes)).not.toHaveProperty("structured_outputs");
    const indented = await body("vllm", { forcedPrefix: "  " }, { hasConstraints: true });
    expect(indented.structured_outputs).toEqual({ regex: "  ([^ \\t\\r\\n][\\s\\S]*)?" });
  });

  it("passes a grammar on", async () => {
    const changes = { grammar: 'root ::= "x"', forcedPrefix: "y" };
    const vllm = await body("vllm", changes, { hasConstraints: true });
    expect(vllm.structured_outputs).toEqual({ grammar: 'root ::= "x"' });
    const sglang = await body("sglang", changes, { hasConstraints: true });
    expect(sglang).toMatchObject({ ebnf: 'root ::= "x"' });
    expect(sglang).not.toHaveProperty("regex");
  });
});

describe("what an event of OpenAI's kind says", () => {
  it.each([
    ["nothing at all", {}, {}],
    ["no choices", { choices: [] }, {}],
    ["a text that is null", { choices: [{ text: null }] }, {}],
    [
      "an end that is empty until it comes",
      { choices: [{ text: "a", finish_reason: "" }] },
      { text: "a" },
    ],
    [
      "an answer that was not streamed",
      { choices: [{ message: { content: "a" } }] },
      { text: "a" },
    ],
    [
      "log-probabilities as llama.cpp and chats have them",
      { choices: [{ text: "a", logprobs: { content: [{ logprob: -1 }, { logprob: -2 }] } }] },
      { text: "a", logProbability: -3 },
    ],
    [
      "an end by a token that ends texts",
      { choices: [{ text: "", finish_reason: "eos_token" }] },
      { text: "", finishReason: "stop" },
    ],
    [
      "an end by the context's length",
      { choices: [{ text: "", finish_reason: "model_length" }] },
      { text: "", finishReason: "length" },
    ],
    ["rubbish", "rubbish", {}],
    ["null", null, {}],
  ])("with %s", (_name, value, event) => {
    expect(readOpenAiEvent(value)).toEqual(event);
  });
});
