import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClosableHttpClient, createHttpClient } from "../../src/host/http-client.ts";
import { createLog } from "../../src/host/log.ts";
import { SharedEngine } from "../../src/lsp/shared-engine.ts";
import { SharedServer } from "../../src/lsp/shared-server.ts";
import { engineOf, localModelOf } from "../../src/testing/engine-fixture.ts";
import { FakeClock } from "../../src/testing/fake-clock.ts";
import { ScriptedServer, type WireReply } from "../../src/testing/scripted-server.ts";
import { example, LspClient } from "./lsp-client.ts";

const answer = {
  ...{ id: "remote-1", completion: "uteShared();", replace_before: 0, replace_after: 0 },
  ...{ model: "local", source: "local", confidence: 0.9, finish_reason: "stop", reason: null },
  alternatives: [],
};

/** A library from which the own engine knows `computeTotal(items);`. */
const library = "const a = computeTotal(items);\nconst b = computeTotal(items);\n".repeat(3);

function json(value: unknown, status: number = 200): WireReply {
  const headers = { "content-type": "application/json" };
  return { status, headers, steps: [{ kind: "write", bytes: JSON.stringify(value) }] };
}

describe("a shared server", () => {
  let http: ClosableHttpClient;
  let scripted: ScriptedServer;
  let clock: FakeClock;
  let server: SharedServer;
  let client: LspClient;
  let isDown: boolean;

  beforeEach(async () => {
    isDown = false;
    http = createHttpClient({ isOffline: true });
    scripted = await ScriptedServer.start(({ path }) => {
      if (isDown) return { steps: [{ kind: "reset" }] };
      if (path === "/v1/health") return json({ name: "midspan", workspace: "/work space" });
      if (path === "/v1/events") return json({ enabled: true, taken: 1, repeated: 0, unknown: 0 });
      return json(answer);
    });
    clock = new FakeClock();
    server = new SharedServer({
      ...{ url: scripted.url, token: "secret", http, clock },
      log: createLog({ level: "off" }),
      timeoutMs: 2_000,
    });
    await server.find();
    const own = engineOf({ clock, local: localModelOf({ "src/a.ts": library }) });
    const engine = new SharedEngine({
      ...{ server, own, ownFeedback: null, clock, session: "s", client: "editor" },
      bufferOf: (uri) => own.documents.bufferOf(uri),
      wallNow: () => 1_790_000_000_000,
    });
    client = new LspClient({
      clock,
      open: async () => ({
        ...{ engine, feedback: engine.feedback, index: async () => {} },
        status: () => ({
          ...{ model: null, backend: null, health: null, isOffline: false },
          ...{ files: 0, threshold: 0.25, server: server.isThere ? server.url : null },
        }),
        close: async () => own.dispose(),
      }),
    });
    await client.initialize();
    client.openExample();
  });

  afterEach(async () => {
    await client.leave();
    server.close();
    await http.close();
    await scripted.close();
    expect(clock.pendingCount).toBe(0);
  });

  /** Bodies of the questions so far. */
  function questions(): readonly Readonly<Record<string, unknown>>[] {
    return scripted.requests
      .filter(({ path }) => path === "/v1/autocomplete")
      .map(({ body }) => JSON.parse(body));
  }

  it("answers with the text around the cursor, and hears what became of it", async () => {
    const { items } = await client.complete();
    expect(items.map(({ insertText }) => insertText)).toEqual(["uteShared();"]);
    const asked = scripted.requests.find(({ path }) => path === "/v1/autocomplete");
    expect(asked?.headers.authorization).toBe("Bearer secret");
    const body: unknown = JSON.parse(asked?.body ?? "");
    const [line = ""] = example.text.split("\n").slice(1);
    const at = example.text.indexOf(line) + example.position.character;
    expect(body).toMatchObject({
      prefix: example.text.slice(0, at),
      suffix: example.text.slice(at),
      ...{ path: "src/b.ts", language: "typescript", session: "s", trigger: "automatic" },
    });
    const [{ command } = { command: null }] = items;
    expect(await client.request("workspace/executeCommand", command)).toBe(true);
    const told = scripted.requests.filter(({ path }) => path === "/v1/events");
    expect(told.map(({ body }) => JSON.parse(body).events)).toEqual([
      [expect.objectContaining({ type: "accepted", request: "remote-1", kind: "full" })],
    ]);
  });

  it("is asked in an order that lasts when a document is opened again", async () => {
    await client.complete();
    const { uri } = example;
    const change = { range: { start: example.position, end: example.position }, text: "x" };
    client.notify("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [change],
    });
    await client.complete();
    client.notify("textDocument/didClose", { textDocument: { uri } });
    client.openExample();
    await client.complete();
    expect(questions().map(({ session, version }) => [session, version])).toEqual([
      ["s", 1],
      ["s", 2],
      ["s", 3],
    ]);
  });

  it("does not take the entry of a suggestion list for the text of the document", async () => {
    const { line, character } = example.position;
    const start = { line, character: character - "comp".length };
    const selected = { text: "computeTotal", range: { start, end: example.position } };
    await client.complete({
      context: { triggerKind: 2, selectedCompletionInfo: selected },
    });
    const [question] = questions();
    expect(question?.prefix).toMatch(/computeTotal$/);
    expect(question).not.toHaveProperty("session");
  });

  it("that goes away is answered for, and used again when it is back", async () => {
    isDown = true;
    expect((await client.complete()).items[0]?.insertText).toBe("uteTotal(items);");
    expect(server.isThere).toBe(false);
    const before = scripted.requests.length;
    expect((await client.complete()).items[0]?.insertText).toBe("uteTotal(items);");
    expect(scripted.requests).toHaveLength(before);
    isDown = false;
    const isBack = new Promise((resolve) => server.changes.on(resolve));
    await clock.advance(2_000);
    expect(await isBack).toBe(true);
    expect((await client.complete()).items[0]?.insertText).toBe("uteShared();");
  });

  it("that answers nonsense, or an error, is answered for", async () => {
    for (const reply of [json({ id: 1 }), json({ error: {} }, 502)]) {
      scripted.script = ({ path }) => (path === "/v1/health" ? json({}) : reply);
      await server.find();
      expect((await client.complete()).items[0]?.insertText).toBe("uteTotal(items);");
    }
  });
});
