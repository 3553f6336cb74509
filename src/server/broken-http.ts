/** Answers what is not HTTP, or not in time, before a request exists: what is wrong, and what to do. */
import type { Socket } from "node:net";
import { byteSize } from "../base/byte-size.ts";
import { CompletionError } from "../core/index.ts";
import { toErrorReply } from "./error-reply.ts";
import type { ServerLimits } from "./ports.ts";

/** What node says about bytes that are no request. */
export interface BrokenHttp extends Error {
  readonly code?: string;
  /** The parser's own words. */
  readonly reason?: string;
  readonly rawPacket?: unknown;
}

/** Node's own limit of a head. */
const MAX_HEAD_BYTES = 16 * 1024;
/** First byte of a TLS connection. */
const TLS_HANDSHAKE = 0x16;

/** Answers in the shape of all errors and closes the connection. */
export function answerBrokenHttp(error: BrokenHttp, socket: Socket, limits: ServerLimits): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = sentenceFor(error, limits);
  const body = JSON.stringify(toErrorReply(new CompletionError("BAD_REQUEST", message)));
  const length = Buffer.byteLength(body);
  socket.end(
    "HTTP/1.1 400 Bad Request\r\nconnection: close\r\nx-content-type-options: nosniff\r\n" +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\n\r\n${body}`,
  );
}

function sentenceFor(error: BrokenHttp, limits: ServerLimits): string {
  const { code, reason, rawPacket } = error;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const { headersTimeoutMs, requestTimeoutMs } = limits;
    return `the request did not arrive in time: its head may take ${headersTimeoutMs / 1000} s, all of it ${requestTimeoutMs / 1000} s; send it again at once`;
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return `the head of the request is over ${byteSize(MAX_HEAD_BYTES)}; send shorter headers or fewer`;
  }
  if (rawPacket instanceof Uint8Array && rawPacket[0] === TLS_HANDSHAKE) {
    return "this port speaks HTTP, not HTTPS; use an address that starts with http://";
  }
  const why = reason ?? code ?? "no reason is known";
  return `the request is not HTTP/1.1 (${why}); check the client and its address`;
}
