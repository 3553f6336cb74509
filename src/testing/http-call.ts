import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to ask for. Host is `127.0.0.1:PORT` unless `headers` say otherwise. */
export interface HttpCall {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** One request on a connection of its own. Rejects when the connection breaks or `signal` aborts. */
export function httpCall(port: number, call: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", path = "/", headers = {}, body, signal } = call;
    const length: Record<string, string> =
      body === undefined || "transfer-encoding" in headers
        ? {}
        : { "content-length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...length, ...headers },
        agent: false,
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** Posts a value as JSON. */
export function postJson(port: number, path: string, value: unknown): Promise<HttpAnswer> {
  return httpCall(port, {
    method: "POST",
    path,
    headers: { "content-type": "application/json" },
    body: typeof value === "string" ? value : JSON.stringify(value),
  });
}

/**
 * Sends bytes as they are and resolves with all that came back when the server closed the
 * connection. With `end` the sending side is closed after the bytes.
 */
export function rawExchange(
  port: number,
  bytes: string,
  options: { readonly end: boolean },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      if (options.end) socket.end(bytes);
      else socket.write(bytes);
    });
    let received = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      received += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}
