import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClosableHttpClient, createHttpClient } from "../host/http-client.ts";
import { type RecordedRequest, ScriptedServer } from "../testing/scripted-server.ts";
import type { BackendKind } from "./backend-spec.ts";
import { createBackend } from "./create-backend.ts";
import { probeBackend } from "./probe.ts";

const { signal } = new AbortController();

describe("a server is asked what it can do", () => {
  let server: ScriptedServer;
  let http: ClosableHttpClient;
  let pages: Readonly<Record<string, unknown>> = {};
  /** Answers `/v1/completions`; a number is a status to refuse it with. */
  let complete: (body: Readonly<Record<string, unknown>>) => readonly unknown[] | number = () =>
    500;

  beforeAll(async () => {
    http = createHttpClient({ isOffline: true });
    server = await ScriptedServer.start((request) => {
      if (request.path === "/v1/completions") return completion(request);
      const page = pages[request.path];
      return page === undefined
        ? { status: 404, steps: [] }
        : {
            headers: { "content-type": "application/json" },
            steps: [{ kind: "write", bytes: JSON.stringify(page) }],
          };
    });
  });
  afterAll(async () => {
    await http.close();
    await server.close();
  });

  const completion = (request: RecordedRequest) => {
    const answer = complete(JSON.parse(request.body));
    if (typeof answer === "number") return { status: answer, steps: [] };
    const events = [...answer.map((value) => JSON.stringify(value)), "[DONE]"];
    const bytes = events.map((data) => `data: ${data}\n\n`).join("");
    const headers = { "content-type": "text/event-stream" };
    return { headers, steps: [{ kind: "write" as const, bytes }] };
  };
  const probe = (kind: BackendKind, model: string | null = null) =>
    probeBackend({ kind, url: server.url }, { http, apiKey: null, model }, { signal });

  it.each([
    ["a number", 7],
    ["a list in place of the object", [1, 2]],
    ["nothing of the kind", { hello: "world" }],
    ["words for ids", { tokens: ["a"] }],
    ["ids that are none", { tokens: [-1, 0.5] }],
    ["no token for a text", { tokens: [] }],
    ["null", null],
  ])(
    "llama.cpp that answers /tokenize with %s is out of order, not without fill-in",
    async (_name, odd) => {
      pages = { "/props": {}, "/v1/models": { data: [] }, "/tokenize": odd };
      await expect(probe("llama.cpp")).rejects.toMatchObject({
        code: "BACKEND_BAD_RESPONSE",
        message: `${server.url}/tokenize answered ${JSON.stringify(odd)} instead of {"tokens": [numbers]}; is KIND right?`,
      });
    },
  );

  it("llama.cpp", async () => {
    pages = {
      "/props": {
        default_generation_settings: { n_ctx: 2048 },
        total_slots: 2,
        build_info: "b11669",
      },
      "/v1/models": { data: [{ id: "tiny.gguf", meta: { n_ctx_train: 32768, n_vocab: 9000 } }] },
      "/tokenize": { tokens: [5] },
    };
    const found = await probe("llama.cpp");
    expect(found).toMatchObject({
      software: "llama.cpp b11669",
      models: [{ id: "tiny.gguf", contextTokens: 2048, canInsert: null }],
      slotCount: 2,
      evidence: { names: [], vocabularySize: 9000 },
      extras: { contextTokens: 2048 },
    });
    expect(found.evidence?.tokenId("<|fim_prefix|>")).toBe(null);
  });

  it("vLLM with everything on", async () => {
    pages = { "/v1/models": { data: [{ id: "m", owned_by: "vllm", max_model_len: 8192 }] } };
    complete = ({ structured_outputs, logprobs, stream_options }) => [
      {
        choices: [
          {
            text: structured_outputs === undefined ? "x" : "zqzqab",
            logprobs: logprobs === undefined ? null : { token_logprobs: [-1] },
          },
        ],
      },
      ...(stream_options === undefined
        ? []
        : [
            {
              choices: [],
              usage: { prompt_tokens: 99, prompt_tokens_details: { cached_tokens: 96 } },
            },
          ]),
    ];
    const found = await probe("vllm");
    expect(found.extras).toEqual({
      contextTokens: 8192,
      hasLogProbabilities: true,
      hasConstraints: true,
      maxStops: null,
      hasPriority: true,
      hasUsage: true,
      hasCachedTokens: true,
    });
    const options = { http, apiKey: null, extras: found.extras };
    expect(createBackend({ kind: "vllm", url: server.url }, options).capabilities).toMatchObject({
      contextTokens: 8192,
      forcedPrefix: true,
      grammar: true,
      priority: true,
      cachedTokens: true,
    });
  });

  it("a server that refuses everything beyond the plain completion", async () => {
    pages = { "/v1/models": { data: [{ id: "m", owned_by: "someone" }] } };
    const plain = new Set(["model", "prompt", "max_tokens", "temperature", "stream", "stop"]);
    complete = (body) =>
      Object.keys(body).every((field) => plain.has(field)) &&
      (!Array.isArray(body.stop) || body.stop.length <= 4)
        ? [{ choices: [{ text: "x" }] }]
        : 400;
    expect((await probe("openai")).extras).toEqual({
      contextTokens: null,
      hasLogProbabilities: false,
      hasConstraints: false,
      hasPriority: false,
      hasUsage: false,
      hasCachedTokens: false,
    });
  });

  it("SGLang", async () => {
    pages = {
      "/v1/models": { data: [{ id: "m", max_model_len: 16384 }] },
      "/get_server_info": {
        version: "0.5.0",
        max_running_requests: 64,
        grammar_backend: "xgrammar",
        enable_priority_scheduling: false,
        enable_cache_report: true,
      },
    };
    expect(await probe("sglang", "m")).toMatchObject({
      software: "SGLang 0.5.0",
      slotCount: 64,
      extras: {
        contextTokens: 16384,
        hasConstraints: true,
        hasPriority: false,
        hasCachedTokens: true,
      },
    });
  });

  it("Ollama, which describes each model apart", async () => {
    pages = {
      "/api/version": { version: "0.13.2" },
      "/api/tags": { models: [{ name: "chat:7b" }, { name: "coder:1.5b" }] },
      "/api/ps": { models: [{ name: "coder:1.5b", context_length: 6000 }] },
      "/api/show": {
        capabilities: ["completion", "insert"],
        model_info: { "qwen2.context_length": 32768 },
        parameters: "temperature 0.7\nnum_ctx    16384",
      },
    };
    const found = await probe("ollama", "coder:1.5b");
    expect(found).toEqual({
      software: "Ollama 0.13.2",
      models: [
        { id: "chat:7b", contextTokens: null, canInsert: null },
        { id: "coder:1.5b", contextTokens: 16384, canInsert: true },
      ],
      slotCount: null,
      evidence: null,
      // As it is loaded now.
      extras: { contextTokens: 6000, hasLogProbabilities: true },
    });
  });

  it.each([
    ["0.12.10", false],
    ["0.12.11", true],
    ["0.12.11-rc1", true],
    ["1.0.0", true],
    ["", false],
  ])("Ollama %s, for log-probabilities", async (version, hasLogProbabilities) => {
    pages = {
      "/api/version": { version },
      "/api/tags": { models: [] },
      "/api/ps": { models: [] },
    };
    expect((await probe("ollama")).extras).toEqual({ contextTokens: null, hasLogProbabilities });
  });

  it("Mistral, DeepSeek and text-generation-inference", async () => {
    pages = {
      "/v1/models": {
        data: [
          { id: "large", max_context_length: 1000, capabilities: { completion_fim: false } },
          { id: "codestral", max_context_length: 256000, capabilities: { completion_fim: true } },
        ],
      },
      "/models": { data: [{ id: "deepseek-chat" }] },
      "/info": {
        model_id: "starcoder2",
        max_total_tokens: 4096,
        max_stop_sequences: 8,
        version: "3.3",
      },
    };
    expect((await probe("mistral")).extras).toEqual({ contextTokens: 256000 });
    expect((await probe("deepseek")).models).toEqual([
      { id: "deepseek-chat", contextTokens: null, canInsert: null },
    ]);
    expect(await probe("tgi")).toMatchObject({
      software: "text-generation-inference 3.3",
      extras: { contextTokens: 4096, maxStops: 8 },
    });
  });

  it("and one that speaks another protocol is told from them", async () => {
    pages = {};
    for (const kind of ["llama.cpp", "vllm", "ollama", "tgi"] as const) {
      await expect(probe(kind)).rejects.toMatchObject({ code: "BACKEND_REFUSED" });
    }
  });
});
