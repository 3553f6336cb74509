/** The built program over its own stdin and stdout, in a folder with blanks and letters beyond ASCII. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { until } from "../e2e/until.ts";
import { cleanEnvironment, program, runToEnd, temporaryFolder } from "../integration/product.ts";
import { example, type WireItem } from "./lsp-client.ts";

const library = `export function computeTotal(items: readonly number[]): number {
  return items.length;
}

export function computeAverage(items: readonly number[]): number {
  const total = computeTotal(items);
  return total / items.length;
}
`;

/** Another build than dist/ can be tried by naming its main.js. */
const programUnderTest = process.env.MIDSPAN_TEST_PROGRAM ?? program;

interface Editor {
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: MessageConnection;
  readonly exitCode: Promise<number | null>;
}

describe("midspan lsp", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let workspace: string;

  beforeEach(() => {
    folder = temporaryFolder("lsp-process");
    workspace = join(folder.path, "wörk späce");
    mkdirSync(join(workspace, ".git"), { recursive: true });
    writeFileSync(join(workspace, "library.ts"), library);
  });

  afterEach(() => folder.dispose());

  it("ends with 0 after shutdown and exit, and with 1 when its editor is gone", async () => {
    const orderly = await start();
    await orderly.connection.sendRequest("shutdown");
    await orderly.connection.sendNotification("exit");
    expect(await orderly.exitCode).toBe(0);
    const gone = await start();
    gone.child.stdin.end();
    expect(await gone.exitCode).toBe(1);
    // A file at stdin ends without closing.
    const nobody = spawn(process.execPath, [programUnderTest, "lsp"], {
      stdio: ["ignore", "ignore", "ignore"],
      env: cleanEnvironment(join(folder.path, "home")),
    });
    expect(await new Promise((resolve) => nobody.once("exit", resolve))).toBe(1);
    for (const half of ["Content-Length: 50\r\n\r\n{", "Content-Length: 99999999999\r\n\r\n{"]) {
      const args = [programUnderTest, "lsp"];
      const env = cleanEnvironment(join(folder.path, "home"));
      const { code } = await runToEnd(process.execPath, args, { cwd: workspace, env, input: half });
      expect(code).toBe(1);
    }
  });

  it("that listens on a port ends with the process that started it, named by either side", async () => {
    for (const how of ["initialize", "flag"] as const) {
      // An editor that starts a server, says its address and its process, and dies.
      const script = `
        const { spawn } = require("node:child_process");
        const more = ${JSON.stringify(how)} === "flag" ? ["--clientProcessId", String(process.pid)] : [];
        const child = spawn(process.execPath, [process.argv[1], "lsp", "--socket", "0", ...more], {
          stdio: ["ignore", "pipe", "ignore"], detached: true });
        child.stdout.on("data", (text) => process.stdout.write(text));`;
      const editor = spawn(process.execPath, ["-e", script, programUnderTest], {
        env: cleanEnvironment(join(folder.path, "home")),
      });
      const said = await new Promise<string>((resolve) =>
        editor.stdout.once("data", (text) => resolve(String(text))),
      );
      const port = /^Listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? "";
      const socket = connect(Number(port), "127.0.0.1");
      if (how === "initialize") {
        const connection = createMessageConnection(
          new StreamMessageReader(socket),
          new StreamMessageWriter(socket),
        );
        connection.listen();
        await connection.sendRequest("initialize", { processId: editor.pid, capabilities: {} });
      }
      const left = new Promise((resolve) => socket.once("close", resolve));
      socket.on("error", () => {}).resume();
      editor.kill("SIGKILL");
      await left;
      socket.destroy();
      await until(
        () => connects(Number(port)),
        (answers) => !answers,
        { what: how },
      );
    }
  });

  it("killed in the middle of a request, answers as before and has lost no acknowledged event", async () => {
    const first = await start();
    const item = await complete(first);
    expect(item.insertText.startsWith("uteTotal(items)")).toBe(true);
    const { command } = item;
    expect(await first.connection.sendRequest("workspace/executeCommand", command)).toBe(true);
    const asked = first.connection.sendRequest("textDocument/inlineCompletion", question());
    asked.catch(() => {});
    first.child.kill("SIGKILL");
    expect(await first.exitCode).toBe(null);
    first.connection.dispose();
    expect(acceptedEvents()).toBe(1);
    const second = await start();
    expect((await complete(second)).insertText).toBe(item.insertText);
    await second.connection.sendRequest("shutdown");
    await second.connection.sendNotification("exit");
    expect(await second.exitCode).toBe(0);
    expect(acceptedEvents()).toBe(1);
  });

  async function connects(port: number): Promise<boolean> {
    const socket = connect(port, "127.0.0.1");
    try {
      return await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      });
    } finally {
      socket.destroy();
    }
  }

  async function start(): Promise<Editor> {
    const child = spawn(process.execPath, [programUnderTest, "lsp", "--stdio"], {
      env: cleanEnvironment(join(folder.path, "home")),
    });
    child.stdin.on("error", () => {});
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    const exitCode = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const indexed = new Promise<void>((resolve) => {
      connection.onNotification("didChangeStatus", ({ busy }: { readonly busy: boolean }) => {
        if (!busy) resolve();
      });
    });
    await connection.sendRequest("initialize", {
      processId: process.pid,
      capabilities: {},
      initializationOptions: { editorInfo: { name: "Test", version: "1" } },
      workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: "w" }],
    });
    await connection.sendNotification("initialized", {});
    await indexed;
    return { child, connection, exitCode };
  }

  async function complete({ connection }: Editor): Promise<WireItem> {
    const { languageId, text } = example;
    const textDocument = { uri: question().textDocument.uri, languageId, version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const answer: { readonly items: readonly WireItem[] } = await connection.sendRequest(
      "textDocument/inlineCompletion",
      question(),
    );
    const [item] = answer.items;
    if (item === undefined) throw new Error("nothing was offered");
    const lead = "  const total = comp";
    return { ...item, insertText: item.insertText.slice(lead.length) };
  }

  function question(): { textDocument: { uri: string }; position: object; context: object } {
    const uri = pathToFileURL(join(workspace, "ö file.ts")).href;
    return { textDocument: { uri }, position: example.position, context: { triggerKind: 2 } };
  }

  function acceptedEvents(): number {
    const home = join(folder.path, "home");
    return readdirSync(home, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => readFileSync(join(home, file), "utf8").split("\n"))
      .filter((line) => line.includes('"type":"accepted"')).length;
  }
});
