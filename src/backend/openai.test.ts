import { describeBackendContract } from "../testing/backend-contract.ts";
import { openAiDialect } from "../testing/openai-dialect.ts";
import { createBackend } from "./create-backend.ts";

describeBackendContract(
  "openai",
  ({ url, http, apiKey }) => createBackend({ kind: "openai", url: `${url}/v1/` }, { http, apiKey }),
  {
    dialect: openAiDialect({ hasUsage: true, fields: [] }),
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

for (const kind of ["vllm", "sglang"] as const) {
  describeBackendContract(
    kind,
    ({ url, http, apiKey }) => createBackend({ kind, url }, { http, apiKey }),
    {
      dialect: openAiDialect({
        hasUsage: true,
        fields: ["stream_options", "stream_options.include_usage", "logprobs"],
      }),
      notSupported: [
        "cachedTokens",
        "forcedPrefix",
        "grammar",
        "priority",
        "cacheSalt",
        "tokenize",
      ],
    },
  );
}
