import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As text; `""` for none. */
  readonly body: string;
  /** How the exchange ended: with our whole answer, or because the client went away. */
  readonly ended: Promise<"complete" | "aborted">;
}

/** One step of an answer. The first `write` sends the head. */
export type WireStep =
  | { readonly kind: "write"; readonly bytes: string | Uint8Array }
  /** Nothing more comes until the client gives up. */
  | { readonly kind: "hang" }
  /** Writes the same bytes until the client goes away, as fast as it takes them. */
  | { readonly kind: "endless"; readonly bytes: string }
  /** Cuts the connection, without a farewell. */
  | { readonly kind: "reset" }
  /** Bytes in place of an HTTP answer. */
  | { readonly kind: "raw"; readonly bytes: string };

export interface WireReply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: readonly WireStep[];
}

/** Decides the answer to each request. */
export type WireScript = (request: RecordedRequest) => WireReply;

/** A real HTTP server on a free port of 127.0.0.1 that follows a script and records what it gets. */
export class ScriptedServer {
  /** Every request so far, oldest first. */
  readonly requests: RecordedRequest[] = [];
  script: WireScript;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new Set<Socket>();
  #connectionCount = 0;

  private constructor(script: WireScript) {
    this.script = script;
    this.#server.on("connection", (socket) => {
      this.#connectionCount++;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      // A client that goes away is what many tests are about.
      socket.on("error", () => {});
    });
  }

  static async start(script: WireScript): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(script);
    await new Promise<void>((resolve) => scripted.#server.listen(0, "127.0.0.1", resolve));
    return scripted;
  }

  /** `http://127.0.0.1:PORT`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections so far, closed ones too. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** Closes every connection and the port. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
      ended: new Promise((resolve) =>
        response.on("close", () => resolve(response.writableFinished ? "complete" : "aborted")),
      ),
    };
    this.requests.push(recorded);
    const { status = 200, headers = {}, steps } = this.script(recorded);
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    for (const step of steps) {
      if (!(await performed(step, request.socket, response))) return;
    }
    response.end();
  }
}

/** False when the answer ends with this step. */
async function performed(
  step: WireStep,
  socket: Socket,
  response: ServerResponse,
): Promise<boolean> {
  switch (step.kind) {
    case "write":
      await written(response, step.bytes);
      return true;
    case "endless":
      while (!response.destroyed) await written(response, step.bytes);
      return false;
    case "hang":
      response.flushHeaders();
      return false;
    case "reset":
      // A reset may overtake what was written; an answer that breaks off must arrive up to there.
      if (response.headersSent) socket.destroy();
      else socket.resetAndDestroy();
      return false;
    case "raw":
      socket.end(step.bytes);
      return false;
  }
}

/** Resolves when the bytes were handed over, or the client is gone. */
function written(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once("close", resolve);
    response.write(bytes, () => {
      response.off("close", resolve);
      resolve();
    });
  });
}
