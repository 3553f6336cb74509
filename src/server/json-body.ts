/** Reads the body of a request as JSON text, and no more of it than allowed. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { CompletionError } from "../core/index.ts";
import type { Followed } from "./client-signal.ts";

interface BodyOptions extends Followed {
  readonly maxBytes: number;
}

/**
 * The text of an `application/json` body in UTF-8. NOT_JSON for another type or an encoded body,
 * BODY_TOO_LARGE as soon as the announced or the received length is over `maxBytes`, BAD_REQUEST for
 * bytes that are not UTF-8, the reason of `signal` when it aborts. What arrives is told to `held`. The
 * unread rest of a refused body is left to the HTTP server, which discards it after the answer.
 */
export async function readJsonText(
  request: IncomingMessage,
  options: BodyOptions,
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

function readBytes(request: IncomingMessage, options: BodyOptions): Promise<Buffer> {
  const { maxBytes, signal, held } = options;
  const announced = Number(request.headers["content-length"] ?? maxBytes);
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    const settle = (run: () => void): void => {
      request.removeListener("data", onData);
      request.removeListener("end", onEnd);
      request.removeListener("error", onEnd);
      signal.removeEventListener("abort", onAbort);
      run();
    };
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > maxBytes) {
        settle(() => reject(tooLarge(maxBytes)));
        return;
      }
      bytes = appended({ bytes, size }, chunk, announced);
      size += chunk.length;
      held.add(chunk.length);
    };
    const onEnd = (error?: unknown): void =>
      settle(() => (error === undefined ? resolve(bytes.subarray(0, size)) : reject(error)));
    const onAbort = (): void => settle(() => reject(signal.reason));
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onEnd);
    signal.addEventListener("abort", onAbort);
  });
}

/**
 * What is there and the chunk behind it, in place where there is room. A list of chunks would cost a
 * hundred times its bytes where a client sends one byte each.
 */
function appended(
  { bytes, size }: { readonly bytes: Buffer; readonly size: number },
  chunk: Buffer,
  announced: number,
): Buffer {
  if (size === 0) return chunk;
  const length = size + chunk.length;
  const isRoomy = length <= bytes.length;
  const room = isRoomy
    ? bytes
    : Buffer.allocUnsafe(Math.max(length, Math.min(2 * length, announced)));
  if (room !== bytes) bytes.copy(room, 0, 0, size);
  chunk.copy(room, size);
  return room;
}

function tooLarge(maxBytes: number): CompletionError {
  return new CompletionError("BODY_TOO_LARGE", `the body is over ${maxBytes} bytes`);
}
