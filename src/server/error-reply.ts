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
  if (isOfFramework(error)) return ofFramework(error);
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

/** An error that fastify raised about a request. */
interface FrameworkError extends Error {
  readonly code: string;
  readonly statusCode: number;
}

function isOfFramework(error: unknown): error is FrameworkError {
  if (!(error instanceof Error) || !("code" in error) || !("statusCode" in error)) return false;
  const { code, statusCode } = error;
  const isNamed = typeof code === "string" && code.startsWith("FST_");
  return isNamed && typeof statusCode === "number" && statusCode < 500;
}

function ofFramework(error: FrameworkError): CompletionError {
  const known = new Map(Object.entries(frameworkSentences)).get(error.code);
  // Its words quote the request, which may be long.
  const words = `the request cannot be read: ${error.message.slice(0, 200)}`;
  return new CompletionError(codeOf(error.statusCode), known ?? words, { cause: error });
}

const frameworkSentences = {
  FST_ERR_BAD_URL: "the address cannot be decoded; a percent sign of its own is written %25",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "the content type is malformed; send application/json",
};

function codeOf(status: number): ErrorCode {
  if (status === 413) return "BODY_TOO_LARGE";
  if (status === 415) return "NOT_JSON";
  return status === 404 ? "NOT_FOUND" : "BAD_REQUEST";
}
