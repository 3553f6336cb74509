import { describe, expect, it } from "vitest";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { openAiDialect } from "../testing/openai-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import { createBackend } from "./create-backend.ts";

describeBackendContract(
  "deepseek",
  ({ url, http, apiKey }) => createBackend({ kind: "deepseek", url }, { http, apiKey }),
  {
    dialect: openAiDialect({
      path: "/beta/completions",
      text: "text",
      usage: "last-event",
      cached: "prompt_cache_hit_tokens",
      fields: ["prompt", "suffix", "stream_options", "stream_options.include_usage", "logprobs"],
    }),
    notSupported: ["forcedPrefix", "grammar", "priority", "cacheSalt", "tokenize"],
  },
);

describe("what a request to DeepSeek says", () => {
  it("is prefix and suffix at the beta address, however that was typed", async () => {
    for (const url of ["https://host", "https://host/", "https://host/beta", "https://host/v1"]) {
      const call = await sentCall(
        (http) => createBackend({ kind: "deepseek", url }, { http, apiKey: "k" }),
        { stop: Array.from({ length: 20 }, (_, i) => `${i}`) },
      );
      expect(call.path).toBe("/beta/completions");
      expect(call.body).toMatchObject({ prompt: "a", suffix: "b" });
      expect(call.body.stop).toHaveLength(16);
    }
  });
});
