/**
 * `midspan bench editor`: how long the language server takes from a request to its answer, with the
 * local model and the index of the current workspace. Lines of its own files are typed key by key,
 * each key a change and a request, over streams in one process.
 */

import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { languageOfPath } from "../core/index.ts";
import { type BenchCheck, formatChecks, formatTable } from "../eval/bench-report.ts";
import { systemClock } from "../host/clock.ts";
import { createLog } from "../host/log.ts";
import { WorkspaceFiles } from "../host/workspace-files.ts";
import { serveClient } from "../lsp/language-server.ts";
import { percentile } from "../stats/summary.ts";
import { findWorkspace } from "./find-workspace.ts";
import { openLspWorkspace } from "./lsp-workspace.ts";
import { version } from "./version.ts";

const FILES = 20;
const LINES_PER_FILE = 5;
/** Keys at the end of a line that are typed. */
const KEYS = 20;
/** Lines of the long document that is made of the workspace's files. */
const LONG_LINES = 10_000;
const MAX_FILE_BYTES = 1_000_000;

/** Milliseconds. */
export interface EditorBenchReport {
  readonly requests: number;
  readonly answered: number;
  /** From the request's arrival to its answer, inside the server. */
  readonly server: Spread;
  /** As the client sees it, with both directions of the protocol. */
  readonly client: Spread;
  /** Processor time of both sides together: what is left of it on a machine that is busy. */
  readonly processor: Spread;
  /** As `server`, in a document of 10,000 lines. */
  readonly long: Spread;
  readonly checks: readonly BenchCheck[];
}

interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export async function benchEditor(options: {
  readonly quick: boolean;
  readonly onProgress: (done: number, total: number, label: string) => void;
}): Promise<EditorBenchReport> {
  const workspace = findWorkspace(null);
  const files = await WorkspaceFiles.open(workspace, { deny: [], maxFileBytes: MAX_FILE_BYTES });
  const { files: paths } = await files.listFiles(5_000);
  const code = paths.filter((path) => languageOfPath(path) !== "plaintext");
  const step = Math.max(1, Math.floor(code.length / (options.quick ? 5 : FILES)));
  const chosen = code.filter((_, index) => index % step === 0);
  const texts = await Promise.all(
    chosen.map(async (path) => ({ path, text: await files.readFile(path) })),
  );
  const editor = await BenchEditor.start(workspace);
  try {
    for (const [index, file] of texts.entries()) {
      options.onProgress(index, texts.length + 1, "files");
      await editor.typeIn(file.path, file.text, LINES_PER_FILE);
    }
    const short = editor.take();
    const all = texts.map(({ text }) => text).join("\n");
    const lines = all.split("\n");
    const long = Array.from({ length: LONG_LINES }, (_, i) => lines[i % lines.length] ?? "");
    await editor.typeIn("src/long-document.ts", long.join("\n"), 4 * LINES_PER_FILE);
    const inLong = editor.take();
    const server = spreadOf(short.server);
    return {
      requests: short.server.length + inLong.server.length,
      answered: short.answered + inLong.answered,
      server,
      client: spreadOf(short.client),
      processor: spreadOf(short.processor),
      long: spreadOf(inLong.server),
      checks: [
        checkOf("request to answer, p50", server.p50, 10),
        checkOf("request to answer, p95", server.p95, 25),
      ],
    };
  } finally {
    await editor.stop();
  }
}

/** One table for a person. */
export function formatEditorBench(report: EditorBenchReport): string {
  const row = (name: string, { p50, p95, p99 }: Spread): string[] => [
    name,
    ...[p50, p95, p99].map((ms) => ms.toFixed(1)),
  ];
  return [
    `${report.requests} requests, a text in ${report.answered} of them; milliseconds`,
    "",
    formatTable(
      ["request to answer", "p50", "p95", "p99"],
      [
        row("in the server", report.server),
        row("as the client sees it", report.client),
        row("processor time, both sides", report.processor),
        row("in the server, 10,000 lines", report.long),
      ],
    ),
    "",
    formatChecks(report.checks),
  ].join("\n");
}

/** A client that types, and what it saw. */
class BenchEditor {
  readonly #connection: MessageConnection;
  readonly #ended: Promise<unknown>;
  readonly #workspace: string;
  #server: number[] = [];
  #client: number[] = [];
  #processor: number[] = [];
  #answered = 0;

  private constructor(workspace: string) {
    this.#workspace = workspace;
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    this.#ended = serveClient(
      { reader: new StreamMessageReader(toServer), writer: new StreamMessageWriter(toClient) },
      {
        openWorkspace: (request) =>
          openLspWorkspace(request, {
            server: null,
            flags: { backend: "none", "events.enabled": false },
          }),
        folderOf: () => null,
        clock: systemClock,
        log: createLog({ level: "error" }),
        version,
      },
    );
    this.#connection = createMessageConnection(
      new StreamMessageReader(toClient),
      new StreamMessageWriter(toServer),
    );
    this.#connection.listen();
  }

  /** Starts the server and waits until the whole workspace is indexed. */
  static async start(workspace: string): Promise<BenchEditor> {
    const editor = new BenchEditor(workspace);
    const connection = editor.#connection;
    const isIndexed = new Promise<void>((resolve) => {
      connection.onRequest("window/workDoneProgress/create", () => null);
      connection.onNotification("didChangeStatus", ({ busy }: { readonly busy: boolean }) => {
        if (!busy) resolve();
      });
    });
    await connection.sendRequest("initialize", {
      processId: null,
      clientInfo: { name: "midspan-bench" },
      capabilities: {},
      initializationOptions: { editorInfo: { name: "midspan-bench", version } },
      workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: "bench" }],
    });
    await connection.sendNotification("initialized", {});
    await isIndexed;
    return editor;
  }

  /** Types the ends of some lines of a document, each key a change and a request. */
  async typeIn(path: string, text: string, lineCount: number): Promise<void> {
    const uri = pathToFileURL(join(this.#workspace, path)).href;
    const languageId = languageOfPath(path);
    const textDocument = { uri, languageId, version: 1, text };
    await this.#connection.sendNotification("textDocument/didOpen", { textDocument });
    const lines = text.split("\n");
    const places = lines.flatMap((line, index) => (line.trim().length >= KEYS ? [index] : []));
    const step = Math.max(1, Math.floor(places.length / lineCount));
    let version = 1;
    for (const line of places.filter((_, index) => index % step === 0).slice(0, lineCount)) {
      const whole = (lines[line] ?? "").trimEnd();
      const from = whole.length - KEYS;
      version++;
      await this.#change(uri, version, { line, from, to: whole.length, text: "" });
      for (let at = from; at < whole.length; at++) {
        version++;
        await this.#change(uri, version, { line, from: at, to: at, text: whole.charAt(at) });
        await this.#ask(uri, { line, character: at + 1 });
      }
    }
    await this.#connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }

  /** What was measured since the last call. */
  take(): Measured {
    const taken: Measured = {
      server: this.#server,
      client: this.#client,
      processor: this.#processor,
      answered: this.#answered,
    };
    this.#server = [];
    this.#client = [];
    this.#processor = [];
    this.#answered = 0;
    return taken;
  }

  async stop(): Promise<void> {
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    await this.#ended;
    this.#connection.dispose();
  }

  async #ask(uri: string, position: object): Promise<void> {
    const startedAt = performance.now();
    const usedAt = process.cpuUsage();
    const params = { textDocument: { uri }, position, context: { triggerKind: 2 } };
    const answer: { readonly items: readonly unknown[] } = await this.#connection.sendRequest(
      "textDocument/inlineCompletion",
      params,
    );
    this.#client.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(usedAt);
    this.#processor.push((user + system) / 1000);
    if (answer.items.length > 0) this.#answered++;
    const status: { readonly lastLatencyMs: number } =
      await this.#connection.sendRequest("midspan/status");
    this.#server.push(status.lastLatencyMs);
  }

  async #change(
    uri: string,
    version: number,
    edit: {
      readonly line: number;
      readonly from: number;
      readonly to: number;
      readonly text: string;
    },
  ): Promise<void> {
    const { line, from, to, text } = edit;
    const range = { start: { line, character: from }, end: { line, character: to } };
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
  }
}

interface Measured {
  readonly server: readonly number[];
  readonly client: readonly number[];
  readonly processor: readonly number[];
  readonly answered: number;
}

function spreadOf(values: readonly number[]): Spread {
  return {
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
  };
}

function checkOf(name: string, value: number, goal: number): BenchCheck {
  return { name, value, goal: { kind: "at-most", value: goal }, unit: " ms" };
}
