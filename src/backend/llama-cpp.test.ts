import { describe, expect, it } from "vitest";
import { describeBackendContract } from "../testing/backend-contract.ts";
import { llamaCppDialect } from "../testing/llama-cpp-dialect.ts";
import { sentCall } from "../testing/sent-call.ts";
import { createBackend } from "./create-backend.ts";
import type { ServerExtras } from "./server-extras.ts";

describeBackendContract(
  "llama.cpp",
  ({ url, http, apiKey }) => createBackend({ kind: "llama.cpp", url }, { http, apiKey }),
  { dialect: llamaCppDialect, notSupported: ["priority", "cacheSalt"] },
);

const infillFields = ["input_prefix", "input_suffix"];

describeBackendContract(
  "llama.cpp through /infill",
  ({ url, http, apiKey }) =>
    createBackend({ kind: "llama.cpp", url }, { http, apiKey, extras: { isInfill: true } }),
  {
    dialect: {
      ...llamaCppDialect,
      path: "/infill",
      fields: [...llamaCppDialect.fields, ...infillFields],
    },
    notSupported: ["priority", "cacheSalt"],
  },
);

describe("what a request to llama.cpp says", () => {
  const call = (
    extras: Partial<ServerExtras>,
    changes: Parameters<typeof sentCall>[1] = {},
  ): ReturnType<typeof sentCall> =>
    sentCall(
      (http) =>
        createBackend({ kind: "llama.cpp", url: "http://host" }, { http, apiKey: null, extras }),
      changes,
    );

  it("is a text for a prompt that is not in pieces, with every setting of its own", async () => {
    expect(await call({})).toEqual({
      path: "/completion",
      body: {
        model: "m",
        prompt: "<P>a<S>b<M>",
        n_predict: 8,
        temperature: 0,
        stop: [],
        stream: true,
        cache_prompt: true,
        return_progress: true,
        response_fields: ["content", "stop", "stop_type", "tokens_evaluated", "timings", "model"],
      },
    });
  });

  it("pins a slot for what is waited for and another for what is asked ahead", async () => {
    const slots = { foreground: 0, prefetch: 1 };
    expect((await call({ slots })).body.id_slot).toBe(0);
    expect((await call({ slots }, { priority: "prefetch" })).body.id_slot).toBe(1);
  });

  it("gives user text to /infill where no sentinel is looked for", async () => {
    const { path, body } = await call({ isInfill: true });
    expect(path).toBe("/infill");
    expect(body).toMatchObject({ input_prefix: "a", input_suffix: "b", prompt: "" });
  });

  it("forces a beginning by a grammar in which every mark stands for itself", async () => {
    const { body } = await call({}, { forcedPrefix: 'a"\\\n\t' });
    expect(body.grammar).toBe('root ::= "a\\"\\\\\\n\\t" [^\\x00]*');
  });

  it("lets neither blanks nor a line end follow an indentation that was cut", async () => {
    const { body } = await call({}, { forcedPrefix: "\t  " });
    expect(body.grammar).toBe('root ::= "\\t  " ([^ \\t\\r\\n\\x00] [^\\x00]*)?');
  });
});
