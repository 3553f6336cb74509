import { describe, expect, it } from "vitest";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { openAiDialect } from "../testing/openai-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import { createBackend } from "./create-backend.ts";

describeBackendContract(
  "mistral",
  ({ url, http, apiKey }) => createBackend({ kind: "mistral", url }, { http, apiKey }),
  {
    dialect: openAiDialect({
      path: "/v1/fim/completions",
      text: "parts",
      usage: "last-event",
      cached: "none",
      fields: ["prompt", "suffix"],
    }),
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

describe("what a request to Mistral says", () => {
  it("is prefix and suffix, and a temperature that the server takes", async () => {
    const call = await sentCall(
      (http) => createBackend({ kind: "mistral", url: "https://host/v1" }, { http, apiKey: "k" }),
      { temperature: 2 },
    );
    expect(call).toEqual({
      path: "/v1/fim/completions",
      body: { model: "m", prompt: "a", suffix: "b", max_tokens: 8, temperature: 1.5, stream: true },
    });
  });
});
