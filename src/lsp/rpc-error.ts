/** Errors as the protocol numbers them. */
import { ResponseError } from "vscode-languageserver/node";
import { CompletionError, type Log } from "../core/index.ts";
import { DecodeError } from "../protocol/decode.ts";

/** The codes that this server answers with; the numbers are those of the protocol. */
export const rpcCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notInitialized: -32002,
  requestFailed: -32803,
  /** A newer request took its place. */
  serverCancelled: -32802,
  /** The document is another one than the request is about. */
  contentModified: -32801,
  requestCancelled: -32800,
} as const;

export function rpcError(code: number, message: string): ResponseError<void> {
  return new ResponseError(code, message);
}

/** What a failed handler answers. Only what is our own fault is logged. */
export function rpcErrorOf(error: unknown, method: string, log: Log): ResponseError<void> {
  if (error instanceof ResponseError) return error;
  if (error instanceof DecodeError) return rpcError(rpcCodes.invalidParams, error.message);
  if (error instanceof CompletionError) {
    return rpcError(rpcCodes.requestFailed, `${error.message} [${error.code}]`);
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error("a message was not handled", { method, stack });
  return rpcError(rpcCodes.internal, `a fault of Midspan; its log has the stack (${method})`);
}
