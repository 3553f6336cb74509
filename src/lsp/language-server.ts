/**
 * The language server: the life of one client from `initialize` to `exit`. Every message goes through
 * here; what it means is in handlers.ts.
 */
import {
  createMessageConnection,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
} from "vscode-languageserver/node";
import type { Dispose } from "../base/event.ts";
import { CheckedReader } from "./checked-reader.ts";
import { decodeInitialize } from "./client-profile.ts";
import { EditorSettingsWatch } from "./editor-settings-watch.ts";
import { notificationHandlers, requestHandlers } from "./handlers.ts";
import { acceptCommand, conventionalAcceptCommand } from "./offered-item.ts";
import type { LanguageServerOptions } from "./ports.ts";
import { rpcCodes, rpcError, rpcErrorOf } from "./rpc-error.ts";
import { Session } from "./session.ts";
import { signalOfToken } from "./token-signal.ts";
import { isRunning, watchProcess } from "./watched-process.ts";

/** Where messages come from and go to. */
export interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

type State =
  | { readonly kind: "new" }
  | { readonly kind: "running"; readonly session: Session }
  | { readonly kind: "shut" };

/** How a client left: after `shutdown`, as it should, or otherwise. */
export type ClientEnd = "orderly" | "abrupt";

/** Serves one client. Resolves when it said `exit` or went away, and everything is stopped. */
export async function serveClient(
  transport: Transport,
  options: LanguageServerOptions,
): Promise<ClientEnd> {
  const { log } = options;
  const reader = new CheckedReader(transport.reader, log);
  const connection = createMessageConnection(reader, transport.writer, {
    // What the library finds faults with was sent by the client, or could not reach it any more.
    error: (message) => log.info(message),
    warn: (message) => log.info(message),
    info: (message) => log.info(message),
    log: (message) => log.debug(message),
  });
  return new Promise((resolve) => {
    let hasEnded = false;
    const client = new Client(connection, { ...options, onGone: () => end() });
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      // Never rejects.
      void client.dispose().then((end) => {
        connection.dispose();
        resolve(end);
      });
    };
    connection.onClose(end);
    // A broken pipe: what was to be written is lost, and so is the client.
    connection.onError(([error, , count]) => {
      log.info("the connection failed", { error: error.message, count: count ?? null });
      if (count !== undefined && count > 3) end();
    });
    connection.onRequest((method, params, token) => client.request(method, params, token));
    connection.onNotification((method, params) => {
      if (method === "exit") end();
      else client.notification(method, params);
    });
    connection.listen();
  });
}

/** After these an editor asks for its completion list, as it does after letters. */
const listTriggers = [".", "(", " "];

interface ClientOptions extends LanguageServerOptions {
  /** Called when the process that the client named has ended, whatever holds its streams open. */
  readonly onGone: () => void;
}

class Client {
  readonly #connection: MessageConnection;
  readonly #options: ClientOptions;
  readonly #settings: EditorSettingsWatch;
  #state: State = { kind: "new" };
  #unwatch: Dispose = () => {};

  constructor(connection: MessageConnection, options: ClientOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#settings = new EditorSettingsWatch(connection);
  }

  /** Answers a request; the error of one that fails is thrown. */
  async request(
    method: string,
    params: unknown,
    token: Parameters<typeof signalOfToken>[0],
  ): Promise<unknown> {
    const { signal, unlink } = signalOfToken(token);
    try {
      if (method === "initialize") return this.#initialize(params);
      if (this.#state.kind === "new") {
        throw rpcError(rpcCodes.notInitialized, `${method} came before initialize`);
      }
      if (this.#state.kind === "shut") {
        throw rpcError(rpcCodes.invalidRequest, `${method} came after shutdown`);
      }
      const { session } = this.#state;
      if (method === "shutdown") return await this.#shutdown(session);
      const handler = Object.hasOwn(requestHandlers, method) ? requestHandlers[method] : undefined;
      if (handler === undefined) throw rpcError(rpcCodes.methodNotFound, `no method ${method}`);
      // Awaited here, so that what it throws is answered in our words.
      return await handler(session, params, signal);
    } catch (error) {
      throw rpcErrorOf(error, method, this.#options.log);
    } finally {
      unlink();
    }
  }

  /** Before `initialize` and after `shutdown` notifications are dropped, as the protocol has it. */
  notification(method: string, params: unknown): void {
    if (this.#state.kind !== "running") return;
    const { session } = this.#state;
    if (method === "initialized") {
      this.#settings.start(session);
      return;
    }
    const handler = Object.hasOwn(notificationHandlers, method)
      ? notificationHandlers[method]
      : undefined;
    if (handler === undefined) return;
    try {
      handler(session, params);
      if (method === "workspace/didChangeConfiguration") this.#settings.changed(session);
    } catch (error) {
      // A notification has no answer: the client learns of it from its log.
      const { message } = rpcErrorOf(error, method, this.#options.log);
      session.status.notify("info", `${method}: ${message}`);
    }
  }

  /** Stops everything and says how the client left. Never rejects. */
  async dispose(): Promise<ClientEnd> {
    this.#unwatch();
    const end: ClientEnd = this.#state.kind === "shut" ? "orderly" : "abrupt";
    if (this.#state.kind === "running") await this.#state.session.dispose();
    return end;
  }

  #initialize(params: unknown): object {
    if (this.#state.kind !== "new") {
      throw rpcError(rpcCodes.invalidRequest, "initialize came a second time");
    }
    const facts = decodeInitialize(params);
    const session = new Session(facts, this.#options, this.#connection);
    this.#state = { kind: "running", session };
    if (facts.processId !== null) this.#follow(facts.processId);
    const { hasEditorInfo, drawsInline, encoding } = facts.profile;
    const commands = [acceptCommand, ...(hasEditorInfo ? [conventionalAcceptCommand] : [])];
    return {
      serverInfo: { name: "midspan", version: this.#options.version },
      capabilities: {
        positionEncoding: encoding,
        // 2: changes come as ranges.
        textDocumentSync: { openClose: true, change: 2 },
        notebookDocumentSync: { notebookSelector: [{ notebook: "*", cells: [{ language: "*" }] }] },
        inlineCompletionProvider: {},
        ...(drawsInline ? {} : { completionProvider: { triggerCharacters: listTriggers } }),
        executeCommandProvider: { commands },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  /** A number that no process has here belongs to another machine or container, and says nothing. */
  #follow(processId: number): void {
    if (!isRunning(processId)) return;
    const { clock, log, onClientProcess, onGone } = this.#options;
    onClientProcess?.(processId);
    this.#unwatch = watchProcess(processId, {
      clock,
      onGone: () => {
        log.info("the process of the client is gone", { processId });
        onGone();
      },
    });
  }

  async #shutdown(session: Session): Promise<null> {
    this.#state = { kind: "shut" };
    await session.dispose();
    return null;
  }
}
