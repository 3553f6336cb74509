import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClosableHttpClient, createHttpClient } from "../host/http-client.ts";
import { ScriptedServer, type WireReply } from "../testing/scripted-server.ts";
import type { BackendKind } from "./backend-spec.ts";
import type { ProbedServer } from "./probed-server.ts";
import { servingReport } from "./serving-report.ts";

const { signal } = new AbortController();
let server: ScriptedServer;
let http: ClosableHttpClient;
let pages: Readonly<Record<string, string>> = {};

beforeEach(async () => {
  http = createHttpClient({ isOffline: true });
  server = await ScriptedServer.start(({ path }) => reply(pages[path]));
});
afterEach(async () => {
  await http.close();
  await server.close();
});

function reply(page: string | undefined): WireReply {
  return page === undefined
    ? { status: 404, steps: [] }
    : { steps: [{ kind: "write", bytes: page }] };
}

function report(kind: BackendKind, probed: Partial<ProbedServer> = {}) {
  const plain = { software: "", models: [], slotCount: null, evidence: null, extras: {} };
  const spec = { kind, url: server.url };
  return servingReport(spec, { ...plain, ...probed }, { http, apiKey: null }, { signal });
}

/** The states, in the order of the report. */
async function statesOf(...args: Parameters<typeof report>): Promise<string> {
  const { prefixCaching, chunkedPrefill, priority, cachedTokens } = await report(...args);
  return [prefixCaching, chunkedPrefill, priority, cachedTokens].map(({ state }) => state).join();
}

describe("servingReport", () => {
  it("tries whether llama.cpp keeps the prompt of an idle slot", async () => {
    const asked: unknown[] = [];
    server.script = ({ body }) => {
      const { id_slot, prompt } = JSON.parse(body);
      asked.push(id_slot);
      const cached = asked.length === 3 && prompt.length > 1 ? 30 : 0;
      return reply(JSON.stringify({ content: "", timings: { cache_n: cached } }));
    };
    expect(await statesOf("llama.cpp", { slotCount: 2 })).toBe("on,unknown,on,on");
    expect(asked).toEqual([0, 1, 0]);
    // One that was started without the flag.
    server.script = () => reply(JSON.stringify({ content: "", timings: { cache_n: 0 } }));
    const { prefixCaching } = await report("llama.cpp", { slotCount: 2 });
    expect(prefixCaching).toEqual({
      state: "off",
      text: expect.stringContaining("--no-cache-idle-slots"),
    });
    expect(await statesOf("llama.cpp", { slotCount: 1 })).toBe("off,unknown,off,on");
  });

  it("says what it could not try", async () => {
    server.script = () => ({ status: 500, steps: [] });
    const { prefixCaching } = await report("llama.cpp", { slotCount: 2 });
    expect(prefixCaching).toMatchObject({
      state: "unknown",
      text: expect.stringContaining("could not be tried"),
    });
  });

  it("reads vLLM's metrics, and takes the rest from what was tried", async () => {
    const info = 'vllm:cache_config_info{block_size="16",enable_prefix_caching="True",x="1"} 1.0';
    pages = { "/metrics": `# TYPE vllm:cache_config_info gauge\n${info}\n` };
    const extras = { hasPriority: true, hasCachedTokens: true };
    expect(await statesOf("vllm", { extras })).toBe("on,unknown,on,on");
    pages = { "/metrics": info.replace("True", "False") };
    const off = await report("vllm");
    expect(off.prefixCaching.text).toContain("--no-enable-prefix-caching");
    expect(off.priority.text).toContain("--scheduling-policy priority");
    expect(off.cachedTokens.text).toContain("--enable-prompt-tokens-details");
    pages = {};
    expect(await statesOf("vllm")).toBe("unknown,unknown,off,off");
  });

  it("reads SGLang's own flags", async () => {
    const flags = {
      disable_radix_cache: false,
      chunked_prefill_size: 8192,
      enable_priority_scheduling: true,
      enable_cache_report: true,
    };
    pages = { "/get_server_info": JSON.stringify(flags) };
    expect(await statesOf("sglang")).toBe("on,on,on,on");
    pages = {
      "/get_server_info": JSON.stringify({ disable_radix_cache: true, chunked_prefill_size: -1 }),
    };
    expect(await statesOf("sglang")).toBe("off,off,off,off");
    pages = { "/get_server_info": "{}" };
    expect(await statesOf("sglang")).toBe("unknown,unknown,off,off");
  });

  it.each(["ollama", "openai", "tgi", "mistral", "deepseek"] as const)(
    "claims nothing that %s does not tell, and asks nothing",
    async (kind) => {
      await report(kind);
      expect(server.requests).toEqual([]);
    },
  );
});
