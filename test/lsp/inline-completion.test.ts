import { describe, expect, it } from "vitest";
import { CancellationTokenSource } from "vscode-languageserver/node";
import { engineOf } from "../../src/testing/engine-fixture.ts";
import { FakeBackend } from "../../src/testing/fake-backend.ts";
import { FakeClock, settle } from "../../src/testing/fake-clock.ts";
import { codeOf, example, LspClient } from "./lsp-client.ts";

const editorInfo = { initializationOptions: { editorInfo: { name: "Editor", version: "1" } } };

describe("textDocument/inlineCompletion", () => {
  it("is announced as LSP 3.18 has it, with incremental sync and the command on accept", async () => {
    const client = new LspClient();
    expect(await client.initialize()).toMatchObject({
      serverInfo: { name: "midspan", version: "1.2.3" },
      capabilities: {
        inlineCompletionProvider: {},
        textDocumentSync: { openClose: true, change: 2 },
        executeCommandProvider: { commands: ["midspan.didAcceptCompletion"] },
        positionEncoding: "utf-16",
      },
    });
    expect(await client.leave()).toBe("orderly");
  });

  it("answers with the text, the exact range and the command", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    const { items } = await client.complete();
    expect(items).toEqual([
      {
        insertText: "uteTotal(items);",
        range: { start: example.position, end: example.position },
        command: {
          title: "Completion Accepted",
          command: "midspan.didAcceptCompletion",
          arguments: [expect.any(String)],
        },
      },
    ]);
    await client.leave();
  });

  it("replaces the whole line for clients that sent editorInfo", async () => {
    const client = new LspClient();
    await client.initialize(editorInfo);
    client.openExample();
    const { items } = await client.complete();
    expect(items.map(({ insertText, range }) => ({ insertText, range }))).toEqual([
      {
        insertText: "  const total = computeTotal(items);",
        range: { start: { line: 1, character: 0 }, end: example.position },
      },
    ]);
    await client.leave();
  });

  it("follows edits in any of the negotiated encodings", async () => {
    for (const [encoding, character] of [
      ["utf-16", 11],
      ["utf-8", 13],
      ["utf-32", 10],
    ] as const) {
      const client = new LspClient();
      const general = { positionEncodings: [encoding] };
      await client.initialize({ capabilities: { general } });
      client.openExample(1, "const a = 🚀;\n".repeat(2) + example.text);
      client.notify("textDocument/didChange", {
        textDocument: { uri: example.uri, version: 2 },
        contentChanges: [
          {
            range: { start: { line: 1, character: 10 }, end: { line: 1, character } },
            text: "x",
          },
        ],
      });
      const found = await client.complete({ position: { line: 3, character: 20 } });
      expect(found.items[0]?.insertText).toBe("uteTotal(items);");
      await client.leave();
    }
  });

  it("says ContentModified for another version than the open one", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample(3);
    const textDocument = { uri: example.uri, version: 2 };
    expect(await codeOf(client.complete({ textDocument }))).toBe(-32801);
    expect(await codeOf(client.complete({ textDocument: { ...textDocument, version: 3 } }))).toBe(
      null,
    );
    await client.leave();
  });

  it("says InvalidParams for a document that is not open, and nothing past the end of one", async () => {
    const client = new LspClient();
    await client.initialize();
    expect(await codeOf(client.complete())).toBe(-32602);
    client.openExample();
    expect(await client.complete({ position: { line: 99, character: 0 } })).toEqual({ items: [] });
    expect(await client.complete({ position: { line: 1, character: 99 } })).toEqual({ items: [] });
    expect(await codeOf(client.complete({ position: { line: -1, character: 0 } }))).toBe(-32602);
    await client.leave();
  });

  it("takes the automatic trigger when the context is left out", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    expect((await client.complete({ context: undefined })).items).toHaveLength(1);
    await client.leave();
  });

  it("goes on after the entry that the suggestion list has selected", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    const start = { line: 1, character: 16 };
    const range = { start, end: example.position };
    const selectedCompletionInfo = { text: "computeTotal", range };
    const { items } = await client.complete({
      context: { triggerKind: 2, selectedCompletionInfo },
    });
    expect(items.map(({ insertText, range }) => ({ insertText, range }))).toEqual([
      { insertText: "computeTotal(items);", range },
    ]);
    await client.leave();
  });

  it("ends a text that was shown for an entry of a list with the next question", async () => {
    const client = new LspClient();
    await client.initialize({ initializationOptions: { midspan: { reportsShown: true } } });
    client.openExample();
    const range = { start: { line: 1, character: 16 }, end: example.position };
    const selectedCompletionInfo = { text: "computeTotal", range };
    const { items } = await client.complete({
      context: { triggerKind: 2, selectedCompletionInfo },
    });
    const [id = ""] = items[0]?.command.arguments ?? [];
    client.notify("textDocument/didShowCompletion", { item: items[0] });
    await client.complete();
    expect(client.told.map(({ what, id, how }) => ({ what, id, how })).slice(1)).toEqual([
      { what: "ignored", id, how: "superseded" },
    ]);
    await client.leave();
  });

  it("counts an older answer that stayed on screen as the newer one of the same text", async () => {
    const client = new LspClient();
    await client.initialize({ initializationOptions: { midspan: { reportsShown: true } } });
    // Two cursors: what one types changes the text behind the other.
    const [head = "", line = "", ...tail] = example.text.split("\n");
    client.openExample(1, [head, line, line, ...tail].join("\n"));
    const first = await client.complete();
    const typed = (line: number): object => {
      const at = { line, character: example.position.character };
      return { range: { start: at, end: at }, text: "u" };
    };
    client.notify("textDocument/didChange", {
      textDocument: { uri: example.uri, version: 2 },
      contentChanges: [typed(2), typed(1)],
    });
    const second = await client.complete({ position: { line: 1, character: 21 } });
    const [older, newer] = [first, second].map(({ items }) => items[0]?.command.arguments[0]);
    expect(newer).not.toBe(older);
    await client.request("workspace/executeCommand", {
      command: "midspan.didAcceptCompletion",
      arguments: [older],
    });
    expect(client.told.map(({ what, id }) => ({ what, id }))).toEqual([
      { what: "accepted", id: newer },
    ]);
    await client.leave();
  });

  it("suggests nothing after a change that does not fit, until the whole text comes", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample(5);
    const change = (version: number, contentChanges: unknown[]): void =>
      client.notify("textDocument/didChange", {
        textDocument: { uri: example.uri, version },
        contentChanges,
      });
    change(5, [{ range: { start: example.position, end: example.position }, text: "x" }]);
    expect(await client.complete()).toEqual({ items: [] });
    change(6, [{ range: { start: example.position, end: example.position }, text: "x" }]);
    expect(await client.complete()).toEqual({ items: [] });
    change(7, [{ text: example.text }]);
    expect((await client.complete()).items).toHaveLength(1);
    await client.leave();
  });

  it("sends line ends as the document has them, but for Neovim, whose lines hold none", async () => {
    for (const [name, expected] of [
      ["Editor", "\r\n"],
      ["Neovim", "\n"],
    ] as const) {
      const clock = new FakeClock();
      const backend = new FakeBackend({ script: "one();\n  two();\n", clock });
      const client = clientWith(clock, backend);
      await client.initialize({ clientInfo: { name } });
      client.openExample(1, "function f() {\r\n  \r\n}\r\n");
      const asked = client.complete({
        position: { line: 1, character: 2 },
        context: { triggerKind: 1 },
      });
      const { items } = await passing(clock, asked);
      expect(items[0]?.insertText).toBe(`one();${expected}  two();`);
      await client.leave();
    }
  });
});

describe("a newer request", () => {
  it("ends the one before it: an error by the conventions, else an empty list", async () => {
    for (const [options, end] of [
      [editorInfo, -32802],
      [{}, null],
    ] as const) {
      const clock = new FakeClock();
      const backend = new FakeBackend({ script: { steps: [{ kind: "hang" }] }, clock });
      const client = clientWith(clock, backend);
      await client.initialize(options);
      client.openExample();
      const first = client.complete();
      const firstCode = codeOf(first);
      await passing(clock, client.request("midspan/status"));
      backend.script = "ute();";
      const second = client.complete();
      expect(await passing(clock, firstCode)).toBe(end);
      if (end === null) expect(await first).toEqual({ items: [] });
      await passing(clock, second);
      await client.leave();
    }
  });

  it("leaves those of other documents alone", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({
      script: { steps: [{ kind: "text", text: "ute();", afterMs: 200 }] },
      clock,
    });
    const client = clientWith(clock, backend);
    await client.initialize(editorInfo);
    client.openExample();
    const other = { ...example, uri: "file:///work%20space/src/c.ts", version: 1 };
    client.notify("textDocument/didOpen", { textDocument: other });
    const answers = Promise.all([
      client.complete(),
      client.complete({ textDocument: { uri: other.uri } }),
    ]);
    const found = await passing(clock, answers);
    expect(found.map(({ items }) => items.length)).toEqual([1, 1]);
    await client.leave();
  });
});

describe("$/cancelRequest", () => {
  it("reaches the model", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: { steps: [{ kind: "hang" }] }, clock });
    const client = clientWith(clock, backend);
    await client.initialize();
    client.openExample();
    const source = new CancellationTokenSource();
    const asked = client.connection.sendRequest(
      "textDocument/inlineCompletion",
      {
        textDocument: { uri: example.uri },
        position: example.position,
        context: { triggerKind: 1 },
      },
      source.token,
    );
    const code = codeOf(asked);
    await passing(clock, client.request("midspan/status"));
    expect(backend.openCount).toBe(1);
    source.cancel();
    expect(await passing(clock, code)).toBe(-32800);
    await clock.advance(100);
    expect({ open: backend.openCount, aborted: backend.abortCount }).toEqual({
      open: 0,
      aborted: 1,
    });
    await client.leave();
  });
});

describe("a change while the answer is made", () => {
  it("makes it worthless", async () => {
    for (const [options, end] of [
      [editorInfo, -32801],
      [{}, null],
    ] as const) {
      const clock = new FakeClock();
      const steps = [{ kind: "text", text: "ute();", afterMs: 200 }] as const;
      const backend = new FakeBackend({ script: { steps }, clock });
      const client = clientWith(clock, backend);
      await client.initialize(options);
      client.openExample();
      const asked = client.complete();
      const code = codeOf(asked);
      await client.request("midspan/status");
      client.notify("textDocument/didChange", {
        textDocument: { uri: example.uri, version: 2 },
        contentChanges: [
          {
            range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
            text: "x",
          },
        ],
      });
      await client.request("midspan/status");
      expect(await passing(clock, code)).toBe(end);
      if (end === null) expect(await asked).toEqual({ items: [] });
      await client.leave();
    }
  });
});

/** A client whose server asks a scripted model only. */
function clientWith(clock: FakeClock, backend: FakeBackend): LspClient {
  return new LspClient({
    clock,
    open: async () => {
      const engine = engineOf({ clock, backend });
      return {
        engine,
        feedback: null,
        index: async () => {},
        status: () => ({
          ...{ model: null, backend: null, health: null, isOffline: false },
          ...{ files: 0, threshold: 0, server: null },
        }),
        close: async () => engine.dispose(),
      };
    },
  });
}

/** Lets the clock run until `work` is done. */
async function passing<Value>(clock: FakeClock, work: Promise<Value>): Promise<Value> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  // What fails is seen where `watched` is awaited.
  watched.catch(() => {});
  for (let turn = 0; turn < 5_000 && !isDone; turn++) {
    await clock.advance(5);
    await settle();
  }
  return watched;
}
