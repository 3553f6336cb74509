/** Reads the body of a request as JSON text, and no more of it than allowed. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { CompletionError } from "../core/index.ts";

/**
 * The text of an `application/json` body in UTF-8. NOT_JSON for another type or an encoded body,
 * BODY_TOO_LARGE as soon as the announced or the received length is over `maxBytes`, BAD_REQUEST for
 * bytes that are not UTF-8, the reason of `signal` when it aborts. The unread rest of a refused body
 * is left to the HTTP server, which discards it after the answer.
 */
export async function readJsonText(
  request: IncomingMessage,
  options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string> {
  checkType(request);
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > options.maxBytes) throw tooLarge(options.maxBytes);
  const bytes = await readBytes(request, options);
  if (!isUtf8(bytes)) throw new CompletionError("BAD_REQUEST", "body is not UTF-8");
  return bytes.toString("utf8");
}

function checkType(request: IncomingMessage): void {
  const type = request.headers["content-type"] ?? "";
  if (type !== "application/json") {
    const [essence = "", ...parameters] = type.toLowerCase().split(";");
    const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith("charset="));
    const isUtf8Text = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
    if (essence.trim() !== "application/json" || !isUtf8Text) {
      const given = type === "" ? "no content type" : JSON.stringify(type.slice(0, 100));
      throw new CompletionError("NOT_JSON", `the body must be application/json, got ${given}`);
    }
  }
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new CompletionError("NOT_JSON", `the body must not be encoded, got ${encoding}`);
  }
}

function readBytes(
  request: IncomingMessage,
  options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const { maxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (run: () => void): void => {
      request.removeListener("data", onData);
      request.removeListener("end", onEnd);
      request.removeListener("error", onEnd);
      signal.removeEventListener("abort", onAbort);
      run();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) settle(() => reject(tooLarge(maxBytes)));
      else chunks.push(chunk);
    };
    const onEnd = (error?: unknown): void =>
      settle(() => (error === undefined ? resolve(joined(chunks)) : reject(error)));
    const onAbort = (): void => settle(() => reject(signal.reason));
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onEnd);
    signal.addEventListener("abort", onAbort);
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): CompletionError {
  return new CompletionError("BODY_TOO_LARGE", `the body is over ${maxBytes} bytes`);
}
