import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { CompletionError } from "../../src/core/index.ts";
import { FakeClock } from "../../src/testing/fake-clock.ts";
import { codeOf, example, LspClient } from "./lsp-client.ts";

describe("the life of a client", () => {
  it("begins with initialize, once, and ends with shutdown and exit", async () => {
    const client = new LspClient();
    expect(await codeOf(client.complete())).toBe(-32002);
    await client.initialize();
    expect(await codeOf(client.initialize())).toBe(-32600);
    expect(await codeOf(client.request("no/such"))).toBe(-32601);
    await client.request("shutdown");
    expect(await codeOf(client.complete())).toBe(-32600);
    client.notify("exit");
    expect(await client.ended).toBe("orderly");
    expect(client.closed).toEqual(["/work space"]);
    client.connection.dispose();
  });

  it("is abrupt without shutdown, and when the stream ends", async () => {
    const left = new LspClient();
    await left.initialize();
    left.notify("exit");
    expect(await left.ended).toBe("abrupt");
    left.connection.dispose();
    const gone = new LspClient();
    await gone.initialize();
    gone.toServer.destroy();
    expect(await gone.ended).toBe("abrupt");
    expect(gone.closed).toEqual(["/work space"]);
    gone.connection.dispose();
  });

  it("survives messages that are none", async () => {
    const client = new LspClient();
    await client.initialize();
    for (const body of [
      "{",
      "[]",
      "null",
      "17",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","method":"$/cancelRequest"}',
      '{"jsonrpc":"2.0","method":"$/cancelRequest","params":null}',
      '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}',
      '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":"x"}',
      '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[1]}',
      '{"jsonrpc":"2.0","id":{},"method":"shutdown"}',
      '{"jsonrpc":"2.0","id":77,"result":null}',
    ]) {
      client.toServer.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    }
    client.openExample();
    expect((await client.complete()).items).toHaveLength(1);
    await client.leave();
  });

  it("answers a request whose params are no structure", async () => {
    const client = new LspClient();
    await client.initialize();
    const answered = new Promise<string>((resolve) => {
      client.fromServer.on("data", (bytes: Buffer) => {
        const text = bytes.toString();
        if (text.includes('"id":"odd"')) resolve(text);
      });
    });
    const body = '{"jsonrpc":"2.0","id":"odd","method":"textDocument/inlineCompletion","params":5}';
    client.toServer.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(await answered).toContain("params must be an object, got a number");
    await client.leave();
  });

  it.each(["Length: 2", "Content-Length: two", "GET / HTTP/1.1"])(
    "ends with a word when nobody knows where the next message begins: %s",
    async (header) => {
      const client = new LspClient();
      await client.initialize();
      client.toServer.write(`${header}\r\n\r\n{}`);
      expect(await client.ended).toBe("abrupt");
      expect(client.log.join()).toContain("Content-Length");
      client.connection.dispose();
    },
  );

  it("ends with a word when a message is announced that nobody could keep", async () => {
    const client = new LspClient();
    await client.initialize();
    client.toServer.write("Content-Length: 99999999999\r\n\r\n{");
    expect(await client.ended).toBe("abrupt");
    expect(client.log.join()).toContain("announced with 100 GB, over the limit of 64.0 MB");
    client.connection.dispose();
  });

  it("ends when the process of its client is gone, though the streams stay open", async () => {
    const editor = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const gone = new Promise((resolve) => editor.once("exit", resolve));
    const clock = new FakeClock();
    const client = new LspClient({ clock });
    await client.initialize({ processId: editor.pid });
    editor.kill("SIGKILL");
    await gone;
    await clock.advance(3_000);
    expect(await client.ended).toBe("abrupt");
    client.connection.dispose();
  });

  it("takes a process number that nobody has here for one of another machine", async () => {
    const client = new LspClient();
    // Above the highest number that Linux, macOS and Windows give.
    await client.initialize({ processId: 2 ** 31 - 2 });
    client.openExample();
    expect((await client.complete()).items).toHaveLength(1);
    await client.leave();
  });
});

describe("folders", () => {
  it("each have what they need; documents outside have a place of their own", async () => {
    const client = new LspClient();
    const folders = [{ uri: "file:///one" }, { uri: "file:///one/inner" }];
    await client.initialize({ workspaceFolders: folders });
    for (const uri of ["file:///one/inner/a.ts", "file:///elsewhere/a.ts", "untitled:1"]) {
      client.notify("textDocument/didOpen", { textDocument: { ...example, uri, version: 1 } });
      expect((await client.complete({ textDocument: { uri } })).items).toHaveLength(1);
    }
    expect(client.opened).toEqual(["/one", "/one/inner", ""]);
    client.notify("workspace/didChangeWorkspaceFolders", {
      event: { added: [{ uri: "file:///elsewhere" }], removed: [{ uri: "file:///one/inner" }] },
    });
    for (const uri of ["file:///one/inner/a.ts", "file:///elsewhere/a.ts", "untitled:1"]) {
      expect((await client.complete({ textDocument: { uri } })).items).toHaveLength(1);
    }
    expect(client.opened).toEqual(["/one", "/one/inner", "", "/elsewhere"]);
    expect(client.closed).toEqual(["/one/inner"]);
    await client.leave();
  });

  it("are opened again when the editor's settings change", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    await client.complete();
    const configure = (midspan: object): void =>
      client.notify("workspace/didChangeConfiguration", { settings: { midspan } });
    configure({ threshold: 0.5 });
    configure({ threshold: 0.5 });
    expect((await client.complete()).items).toHaveLength(1);
    expect(client.opened).toEqual(["/work space", "/work space"]);
    expect(client.closed).toEqual(["/work space"]);
    await client.leave();
  });

  it("closed before they were indexed leave no complaint", async () => {
    const notIndexed = new CompletionError("INTERNAL", "the index is closed");
    const client: LspClient = new LspClient({
      open: async (request) => {
        const { settings } = request;
        let tellClosed = (): void => {};
        const closed = new Promise<void>((resolve) => {
          tellClosed = resolve;
        });
        return {
          ...(await client.openWorkspace(request.root)),
          index: async () => {
            if ("threshold" in settings) throw new CompletionError("INTERNAL", "no disk");
            await closed;
            throw notIndexed;
          },
          close: async () => tellClosed(),
        };
      },
    });
    await client.initialize();
    client.openExample();
    await client.complete();
    const settings = { midspan: { threshold: 0.5 } };
    client.notify("workspace/didChangeConfiguration", { settings });
    await client.complete();
    await client.leave();
    const said = client.heard.filter(({ method }) => method === "window/showMessage");
    expect(said.map(({ params }) => params)).toEqual([
      expect.objectContaining({ message: "Midspan: /work space was not indexed: no disk" }),
    ]);
  });

  it("of a client that can be asked are configured by what it answers", async () => {
    const client = new LspClient();
    const workspace = {
      configuration: true,
      didChangeConfiguration: { dynamicRegistration: true },
    };
    await client.initialize({ capabilities: { workspace } });
    await client.request("midspan/status");
    expect(client.asked.map(({ method }) => method)).toEqual([
      "client/registerCapability",
      "workspace/configuration",
    ]);
    await client.leave();
  });
});

describe("notebooks", () => {
  it("have cells that are completed as documents", async () => {
    const client = new LspClient();
    await client.initialize();
    const cell = (name: string): string => `vscode-notebook-cell:/work%20space/n.ipynb#${name}`;
    const { text, languageId } = example;
    client.notify("notebookDocument/didOpen", {
      notebookDocument: {
        ...{ uri: "file:///work%20space/n.ipynb", notebookType: "jupyter", version: 1 },
        cells: [{ kind: 2, document: cell("a") }],
      },
      cellTextDocuments: [{ uri: cell("a"), languageId, version: 1, text }],
    });
    client.notify("notebookDocument/didChange", {
      notebookDocument: { uri: "file:///work%20space/n.ipynb", version: 2 },
      change: {
        cells: {
          structure: {
            array: { start: 1, deleteCount: 0, cells: [{ kind: 2, document: cell("b") }] },
            didOpen: [{ uri: cell("b"), languageId, version: 1, text: "" }],
          },
          textContent: [{ document: { uri: cell("b"), version: 2 }, changes: [{ text }] }],
        },
      },
    });
    for (const name of ["a", "b"]) {
      const { items } = await client.complete({ textDocument: { uri: cell(name) } });
      expect(items[0]?.insertText).toBe("uteTotal(items);");
    }
    client.notify("notebookDocument/didClose", {
      notebookDocument: { uri: "file:///work%20space/n.ipynb" },
      cellTextDocuments: [{ uri: cell("a") }, { uri: cell("b") }],
    });
    expect(await codeOf(client.complete({ textDocument: { uri: cell("a") } }))).toBe(-32602);
    expect(client.opened).toEqual(["/work space"]);
    await client.leave();
  });
});

describe("what becomes of a suggestion", () => {
  const item = (id: string): object => ({ item: { command: { arguments: [id] } } });

  it("is told as the client says it", async () => {
    const client = new LspClient();
    await client.initialize({
      initializationOptions: { editorInfo: { name: "E" }, midspan: { reportsShown: true } },
    });
    client.openExample();
    const { items } = await client.complete();
    const id = items[0]?.command.arguments[0] ?? "";
    client.notify("textDocument/didShowCompletion", item(id));
    // The line to the cursor has 20 units; `ute` was taken after it.
    client.notify("textDocument/didPartiallyAcceptCompletion", {
      ...item(id),
      acceptedLength: 23,
    });
    client.notify("textDocument/didPartiallyAcceptCompletion", {
      ...item(id),
      acceptedLength: 28,
    });
    const command = { command: "github.copilot.didAcceptCompletionItem", arguments: [id] };
    expect(await client.request("workspace/executeCommand", command)).toBe(true);
    const unknown = { command: "midspan.didAcceptCompletion", arguments: ["x"] };
    expect(await client.request("workspace/executeCommand", unknown)).toBe(false);
    expect(client.told).toEqual([
      { what: "shown", id, how: { visibleIndex: 0, isInferred: false } },
      { what: "acceptedPartly", id, how: { kind: "word", chars: 3 } },
      { what: "acceptedPartly", id, how: { kind: "word", chars: 5 } },
      { what: "accepted", id, how: { kind: "full", visibleIndex: 0 } },
    ]);
    await client.leave();
  });

  it("is inferred where the client says nothing: shown when 50 ms pass without a change", async () => {
    const clock = new FakeClock();
    const client = new LspClient({ clock });
    await client.initialize();
    client.openExample();
    await client.complete();
    await clock.advance(49);
    const { items } = await client.complete();
    expect(client.told).toEqual([]);
    await clock.advance(50);
    expect(client.told).toEqual([
      {
        what: "shown",
        id: items[0]?.command.arguments[0],
        how: { visibleIndex: 0, isInferred: true },
      },
    ]);
    client.notify("textDocument/didFocus", { textDocument: { uri: example.uri } });
    client.notify("textDocument/didFocus", {});
    await client.request("midspan/status");
    expect(client.told.map(({ what }) => what)).toEqual(["shown", "ignored"]);
    await client.leave();
    expect(clock.pendingCount).toBe(0);
  });
});
