import { describeBackendContract } from "../testing/backend-contract.ts";
import { llamaCppDialect } from "../testing/llama-cpp-dialect.ts";
import { createBackend } from "./create-backend.ts";

describeBackendContract(
  "llama.cpp",
  ({ url, http, apiKey }) => createBackend({ kind: "llama.cpp", url }, { http, apiKey }),
  { dialect: llamaCppDialect, notSupported: ["priority", "cacheSalt"] },
);
