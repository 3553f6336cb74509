/** A client in the same process as the server, over streams, with scripted or real parts behind it. */

import { PassThrough } from "node:stream";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { Clock } from "../../src/core/index.ts";
import { systemClock } from "../../src/host/clock.ts";
import { createLog } from "../../src/host/log.ts";
import { BoundedReader } from "../../src/lsp/bounded-reader.ts";
import { type ClientEnd, serveClient } from "../../src/lsp/language-server.ts";
import type { Feedback, OpenedWorkspace, WorkspaceOpener } from "../../src/lsp/ports.ts";
import { engineOf, localModelOf } from "../../src/testing/engine-fixture.ts";
import { library } from "../example-library.ts";

/** The line that the example's local model completes to `computeTotal(items);`. */
export const example = {
  uri: "file:///work%20space/src/b.ts",
  languageId: "typescript",
  text: "export function f(items: readonly number[]): number {\n  const total = comp\n  return total;\n}\n",
  position: { line: 1, character: 20 },
} as const;

/** One thing that was told to telemetry. */
export interface Told {
  readonly what: keyof Feedback["telemetry"];
  readonly id: string;
  readonly how: unknown;
}

export class LspClient {
  readonly connection: MessageConnection;
  /** Notifications of the server, oldest first. */
  readonly heard: { readonly method: string; readonly params: unknown }[] = [];
  /** Requests of the server, oldest first; all are answered with `null`. */
  readonly asked: { readonly method: string; readonly params: unknown }[] = [];
  readonly told: Told[] = [];
  /** Lines that the server logged. */
  readonly log: string[] = [];
  /** Resolves when the server has stopped. */
  readonly ended: Promise<ClientEnd>;
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  /** What the client writes to: raw bytes may go there too. */
  readonly toServer: PassThrough = new PassThrough();
  readonly fromServer: PassThrough = new PassThrough();

  constructor(options: { readonly clock?: Clock; readonly open?: WorkspaceOpener } = {}) {
    const clock = options.clock ?? systemClock;
    this.ended = serveClient(
      {
        reader: new BoundedReader(this.toServer),
        writer: new StreamMessageWriter(this.fromServer),
      },
      {
        openWorkspace: options.open ?? ((request) => this.openWorkspace(request.root, clock)),
        folderOf: () => null,
        clock,
        log: createLog({ level: "warn", write: (line) => this.log.push(line) }),
        version: "1.2.3",
      },
    );
    this.connection = createMessageConnection(
      new StreamMessageReader(this.fromServer),
      new StreamMessageWriter(this.toServer),
    );
    this.connection.onNotification((method, params) => void this.heard.push({ method, params }));
    this.connection.onRequest((method, params) => {
      this.asked.push({ method, params });
      return null;
    });
    this.connection.listen();
  }

  request<Result = unknown>(method: string, params?: unknown): Promise<Result> {
    return this.connection.sendRequest<Result>(method, params);
  }

  notify(method: string, params?: unknown): void {
    // A server that is gone hears nothing; the tests that end it know.
    this.connection.sendNotification(method, params).catch(() => {});
  }

  async initialize(params: object = {}): Promise<unknown> {
    const result = await this.request("initialize", {
      processId: null,
      capabilities: {},
      workspaceFolders: [{ uri: "file:///work%20space", name: "work space" }],
      ...params,
    });
    this.notify("initialized", {});
    return result;
  }

  openExample(version: number = 1, text: string = example.text): void {
    const { uri, languageId } = example;
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
  }

  /** `textDocument/inlineCompletion` at the example's place. */
  complete(params: object = {}): Promise<{ readonly items: readonly WireItem[] }> {
    return this.request("textDocument/inlineCompletion", {
      textDocument: { uri: example.uri },
      position: example.position,
      context: { triggerKind: 2 },
      ...params,
    });
  }

  /** Leaves as clients should and waits until the server has stopped. */
  async leave(): Promise<ClientEnd> {
    await this.request("shutdown");
    this.notify("exit");
    const end = await this.ended;
    this.connection.dispose();
    return end;
  }

  /** What runs for a folder when the test says nothing else. */
  async openWorkspace(root: string | null, clock: Clock = systemClock): Promise<OpenedWorkspace> {
    const engine = engineOf({ clock, local: localModelOf({ "src/a.ts": library }) });
    const tell =
      (what: keyof Feedback["telemetry"]) =>
      (id: string, how: unknown): void => {
        this.told.push({ what, id, how });
      };
    this.opened.push(root ?? "");
    return {
      engine,
      feedback: {
        telemetry: {
          shown: tell("shown"),
          accepted: tell("accepted"),
          acceptedPartly: tell("acceptedPartly"),
          rejected: tell("rejected"),
          ignored: tell("ignored"),
        },
        flush: async () => {},
      },
      index: async () => {},
      status: () => ({
        ...{ model: null, backend: null, health: null, isOffline: false },
        ...{ files: 1, threshold: 0.25, server: null },
      }),
      close: async () => {
        this.closed.push(root ?? "");
        engine.dispose();
      },
    };
  }
}

export interface WireItem {
  readonly insertText: string;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly command: { readonly command: string; readonly arguments: readonly string[] };
}

/** Code of the error that a request ended with; `null` when it did not. */
export async function codeOf(request: Promise<unknown>): Promise<number | null> {
  try {
    await request;
    return null;
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error
      ? Number(error.code)
      : Number.NaN;
  }
}
