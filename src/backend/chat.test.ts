import { describe, expect, it } from "vitest";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { openAiDialect } from "../testing/openai-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import { chatWarning, createChatBackend } from "./index.ts";

describeBackendContract(
  "chat",
  ({ url, http, apiKey }) => createChatBackend({ kind: "openai", url }, { http, apiKey }),
  {
    dialect: openAiDialect({
      path: "/v1/chat/completions",
      text: "delta",
      usage: "none",
      cached: "none",
      fields: ["messages"],
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

describe("the chat fallback", () => {
  it("shows the model the gap between prefix and suffix", async () => {
    const { body } = await sentCall((http) =>
      createChatBackend({ kind: "vllm", url: "http://host" }, { http, apiKey: null }),
    );
    expect(body.messages).toMatchObject([
      { role: "system" },
      { role: "user", content: "a<GAP/>b" },
    ]);
  });

  it("comes with a warning", () => {
    expect(chatWarning).toContain("not trained to fill in the middle");
  });

  it("is not there for servers without such an endpoint", () => {
    const http = { send: () => Promise.reject(new Error("never asked")) };
    expect(() =>
      createChatBackend({ kind: "tgi", url: "http://host" }, { http, apiKey: null }),
    ).toThrow(/tgi cannot be used for chat; write the address with one of openai, /);
  });
});
