import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClosableHttpClient, createHttpClient } from "../host/http-client.ts";
import { ScriptedServer, type WireReply } from "../testing/scripted-server.ts";
import { chooseServer } from "./choose-server.ts";
import { type Found, findServers, usualPorts } from "./find-servers.ts";

type Pages = Readonly<Record<string, unknown>>;

const { signal } = new AbortController();
const servers: ScriptedServer[] = [];
let http: ClosableHttpClient;

beforeEach(() => {
  http = createHttpClient({ isOffline: true });
});
afterEach(async () => {
  await http.close();
  for (const server of servers.splice(0)) await server.close();
});

/** A server that answers these paths with JSON, a number with that status, and others with 404. */
async function serverWith(pages: Pages): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(({ path, body }) => {
    const page = pages[path];
    if (typeof page === "function") return json(page(body));
    if (typeof page === "number") return { status: page, steps: [] };
    return page === undefined ? { status: 404, steps: [] } : json(page);
  });
  servers.push(server);
  return server;
}

function json(value: unknown): WireReply {
  const headers = { "content-type": "application/json" };
  return { headers, steps: [{ kind: "write", bytes: JSON.stringify(value) }] };
}

function look(): Promise<readonly Found[]> {
  return findServers(
    { http, ports: servers.map(({ url }) => Number(new URL(url).port)) },
    { signal },
  );
}

const models = (owner: string, ...ids: readonly string[]) => ({
  object: "list",
  data: ids.map((id) => ({ id, owned_by: owner })),
});

const llamaServer: Pages = {
  "/v1/health": { status: "ok" },
  "/props": { total_slots: 2, model_path: "/models/x.gguf", default_generation_settings: {} },
  "/v1/models": models("llamacpp", "x.gguf"),
  // Qwen's sentinels are single tokens, everything else is several.
  "/tokenize": (body: string) => {
    const { content } = JSON.parse(body);
    const texts = [content].flat().flatMap((part: string | number) => part);
    return {
      tokens: texts.flatMap((text: string | number) =>
        typeof text === "number"
          ? [text]
          : /^<\|(fim_(prefix|suffix|middle|pad)|endoftext|repo_name|file_sep|im_start|im_end)\|>$/.test(
                text,
              )
            ? [1000 + text.length * 7 + text.charCodeAt(6)]
            : [...text].map((character) => character.charCodeAt(0)),
      ),
    };
  },
};

const ollama = (loaded: readonly string[], ...names: readonly string[]): Pages => ({
  "/api/version": { version: "0.12.0" },
  "/api/tags": { models: names.map((name) => ({ name })) },
  "/api/ps": { models: loaded.map((name) => ({ name })) },
  "/v1/models": models("library", ...names),
});

describe("findServers", () => {
  it("finds nothing where nobody listens, and says so by an empty list", async () => {
    const port = Number(new URL((await serverWith({})).url).port);
    await servers.pop()?.close();
    expect(await findServers({ http, ports: [port] }, { signal })).toEqual([]);
  });

  it("looks at the usual ports", () => {
    expect(usualPorts).toEqual([8080, 8012, 9931, 11434, 1234, 8000, 30000]);
  });

  it("tells servers by what they answer", async () => {
    await serverWith(llamaServer);
    await serverWith(ollama(["a"], "a", "b"));
    await serverWith({ "/v1/models": models("vllm", "Qwen/Qwen2.5-Coder-7B") });
    await serverWith({ "/v1/models": models("sglang", "m") });
    await serverWith({
      "/v1/models": models("organization_owner", "m", "e"),
      "/api/v0/models": {
        data: [
          { id: "m", type: "llm", state: "not-loaded" },
          { id: "e", type: "embeddings", state: "loaded" },
        ],
      },
    });
    await serverWith({ "/v1/models": models("somebody", "m") });
    const found = await look();
    const facts = found.map((each) =>
      each.kind === "server"
        ? [
            each.server.spec.kind,
            each.server.software,
            each.server.models.map(({ id, isLoaded }) => `${id} ${isLoaded}`).join(),
          ]
        : each,
    );
    expect(facts).toEqual([
      ["llama.cpp", "llama-server", "x.gguf true"],
      ["ollama", "Ollama", "a true,b false"],
      ["vllm", "vLLM", "Qwen/Qwen2.5-Coder-7B true"],
      ["sglang", "SGLang", "m true"],
      ["openai", "LM Studio", "m false"],
      ["openai", "a model server", "m null"],
    ]);
  });

  it("never takes another Midspan, and asks it nothing else", async () => {
    const server = await serverWith({
      "/v1/health": { name: "midspan", status: "ok" },
      "/v1/models": models("midspan", "qwen2.5-coder-7b"),
    });
    expect(await look()).toEqual([
      { kind: "refused", address: server.url, why: "it is another Midspan" },
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/health"]);
  });

  it("sends no key, and says who wants one", async () => {
    const server = await serverWith({ "/props": 401, "/v1/models": 401 });
    const [found] = await look();
    expect(found).toMatchObject({ kind: "refused", why: expect.stringContaining("wants a key") });
    expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it.each([
    ["web pages", { "/v1/models": "<html>" }],
    ["other things", { "/v1/models": { object: "list" }, "/props": [1], "/api/version": null }],
  ])("does not take a server of %s for a model server", async (_, pages) => {
    await serverWith(pages);
    expect(await look()).toMatchObject([
      { kind: "refused", why: "it speaks none of the protocols that we know" },
    ]);
  });

  it("stops when it is told to", async () => {
    await serverWith(llamaServer);
    const [port] = servers.map(({ url }) => Number(new URL(url).port));
    const aborted = AbortSignal.abort(new Error("enough"));
    await expect(findServers({ http, ports: [port ?? 0] }, { signal: aborted })).rejects.toThrow(
      "enough",
    );
  });
});

describe("chooseServer", () => {
  const any = { model: "", format: null };

  it("takes a llama-server by the tokens of its model, whatever its file is called", async () => {
    const { url } = await serverWith(llamaServer);
    const { choice, notes } = chooseServer(await look(), any);
    expect([choice?.model, choice?.format.family]).toEqual(["x.gguf", "qwen2.5-coder"]);
    expect(notes).toEqual([
      `using x.gguf (qwen2.5-coder) of llama-server at ${url}: it is loaded and it can fill in the middle`,
    ]);
  });

  it("prefers what is loaded, then base models, then a usual size", async () => {
    const pick = async (loaded: readonly string[], ...names: readonly string[]) => {
      await serverWith(ollama(loaded, ...names));
      const found = await look();
      await servers.pop()?.close();
      return chooseServer(found, any).choice?.model;
    };
    const base = ["qwen2.5-coder:32b", "qwen2.5-coder:3b-base", "qwen2.5-coder:0.5b"];
    expect(await pick([], ...base)).toBe("qwen2.5-coder:3b-base");
    expect(await pick(["qwen2.5-coder:32b"], ...base)).toBe("qwen2.5-coder:32b");
    expect(await pick([], "qwen2.5-coder:3b-instruct", "starcoder2:7b")).toBe("starcoder2:7b");
    expect(await pick([], "llama3.1:8b", "starcoder2:3b")).toBe("starcoder2:3b");
  });

  it("says of each server why it is not used", async () => {
    const vllm = await serverWith({ "/v1/models": models("vllm", "Qwen/Qwen2.5-Coder-3B") });
    const chat = await serverWith(ollama([], "llama3.1:8b", "gemma3:4b"));
    const one = await serverWith({ "/v1/models": models("sglang", "starcoder2-15b") });
    const none = await serverWith(ollama([]));
    const other = await serverWith({ "/v1/models": models("somebody", "starcoder2-3b") });
    expect(chooseServer(await look(), any).notes).toEqual([
      `using Qwen/Qwen2.5-Coder-3B (qwen2.5-coder) of vLLM at ${vllm.url}: it is loaded and it can fill in the middle`,
      `Ollama at ${chat.url} is not used: none of its 2 models can fill in the middle (llama3.1:8b, gemma3:4b)`,
      expect.stringMatching(`SGLang at ${one.url} is not used: The model "starcoder2-15b"`),
      `Ollama at ${none.url} is not used: it has no model`,
      `a model server at ${other.url} is not used: starcoder2-3b would do too (--backend openai:${other.url} takes it)`,
    ]);
  });

  it("chooses none rather than one that cannot fill in the middle", async () => {
    await serverWith(ollama(["llama3.1:8b"], "llama3.1:8b"));
    expect(chooseServer(await look(), any)).toMatchObject({
      choice: null,
      notes: [expect.stringContaining("is not used")],
    });
  });

  it("takes the model that is named, by its id or its last part, and the format", async () => {
    await serverWith({ "/v1/models": models("vllm", "Qwen/Qwen2.5-Coder-3B") });
    await serverWith({ "/v1/models": models("vllm", "org/mine") });
    const found = await look();
    expect(chooseServer(found, { model: "Qwen2.5-Coder-3B", format: null }).choice?.model).toBe(
      "Qwen/Qwen2.5-Coder-3B",
    );
    const named = { model: "org/mine", format: "starcoder2" };
    expect(chooseServer(found, named).choice?.format.family).toBe("starcoder2");
    const missing = chooseServer(found, { model: "nobody's", format: null });
    expect(missing.choice).toBeNull();
    expect(missing.notes[0]).toContain("it has not the model that you named");
  });
});
