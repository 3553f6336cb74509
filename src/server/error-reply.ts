/** Every failure that leaves the server, in one shape: `{error: {code, message, retryable}}`. */
import { CompletionError, type ErrorCode } from "../core/index.ts";
import type { ErrorReply } from "../protocol/autocomplete.ts";
import { DecodeError } from "../protocol/decode.ts";

/**
 * The coded error that a caller gets. What is neither coded nor a known fault of the request is a
 * fault of ours: INTERNAL, with the original as `cause` and no word of it in the message.
 */
export function toCompletionError(error: unknown, requestId: string): CompletionError {
  if (error instanceof CompletionError) return error;
  if (error instanceof DecodeError) return new CompletionError("BAD_REQUEST", error.message);
  const status = frameworkStatus(error);
  if (status !== null) return new CompletionError(codeOf(status), "the request is malformed");
  return new CompletionError(
    "INTERNAL",
    `a fault of ours; the log has it under request ${requestId}`,
    { cause: error },
  );
}

/** The body of an error answer. */
export function toErrorReply(error: CompletionError): ErrorReply {
  return { error: { code: error.code, message: error.message, retryable: error.retryable } };
}

/** Seconds for `Retry-After`; `null` when waiting does not help. */
export function retryAfterSeconds(error: CompletionError): number | null {
  if (error.retryAfterMs !== null) return Math.ceil(error.retryAfterMs / 1000);
  return error.status === 503 ? 1 : null;
}

/** Status of an error that fastify raised about a request; `null` for all others. */
function frameworkStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !("code" in error) || !("statusCode" in error)) return null;
  const { code, statusCode } = error;
  const isFramework = typeof code === "string" && code.startsWith("FST_");
  return isFramework && typeof statusCode === "number" && statusCode < 500 ? statusCode : null;
}

function codeOf(status: number): ErrorCode {
  if (status === 413) return "BODY_TOO_LARGE";
  if (status === 415) return "NOT_JSON";
  return status === 404 ? "NOT_FOUND" : "BAD_REQUEST";
}
