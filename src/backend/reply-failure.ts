/** Statuses and error objects of model servers as coded errors: what, why, what next. */
import { CompletionError, type ErrorCode } from "../core/index.ts";
import { at, numberAt, textAt } from "./json-value.ts";
import { type Confidential, serverWords } from "./server-words.ts";

/** Which request failed, for the message. */
export interface FailedCall extends Confidential {
  readonly address: string;
  readonly path: string;
  /** `null` where the request names none. */
  readonly model: string | null;
}

/** The error for a status other than 200. */
export function statusFailure(
  call: FailedCall,
  reply: {
    readonly status: number;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
  },
): CompletionError {
  const waitMs = reply.status === 429 || reply.status === 503 ? wishedWaitMs(reply.headers) : null;
  return failure(call, verdictOn(call, reply.status, reply.headers), { ...reply, waitMs });
}

/**
 * The error for an object such as `{"error": …}` in an answer that began with 200, or for Mistral's
 * finish reason `error`; else `null`.
 */
export function failureInside(call: FailedCall, value: unknown): CompletionError | null {
  const error = at(value, "error") ?? null;
  if (error === null && textAt(value, "choices", 0, "finish_reason") !== "error") return null;
  const status = numberAt(error, "code") ?? numberAt(value, "status");
  const isOverloaded = /overload|unavailable/.test(
    `${textAt(error, "type") ?? ""} ${textAt(value, "error_type") ?? ""}`,
  );
  const body = JSON.stringify(value);
  if (isOverloaded) return statusFailure(call, { status: 503, body, headers: {} });
  if (status !== undefined && 400 <= status && status < 600) {
    return statusFailure(call, { status, body, headers: {} });
  }
  return failure(
    call,
    {
      code: "BACKEND_REFUSED",
      fault: "broke off its answer with an error",
      advice: "look at its log",
    },
    { status: null, body, waitMs: null },
  );
}

/** The error for an answer that is not what the protocol says. */
export function badResponse(call: FailedCall, says: string): CompletionError {
  return new CompletionError("BACKEND_BAD_RESPONSE", `${call.address}${call.path} ${says}`);
}

interface Verdict {
  readonly code: ErrorCode;
  /** What happened. */
  readonly fault: string;
  /** What to do next. */
  readonly advice: string;
}

function failure(
  call: FailedCall,
  verdict: Verdict,
  said: { readonly status: number | null; readonly body: string; readonly waitMs: number | null },
): CompletionError {
  const words = serverWords(said.body, call);
  const facts = [
    said.status === null ? "" : `status ${said.status}`,
    words === "" ? "" : `it says: ${words}`,
  ].filter((fact) => fact !== "");
  const inBrackets = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  const message = `${call.address} ${verdict.fault}${inBrackets}; ${verdict.advice}`;
  return new CompletionError(verdict.code, message, { retryAfterMs: said.waitMs });
}

function verdictOn(
  call: FailedCall,
  status: number,
  headers: Readonly<Record<string, string>>,
): Verdict {
  const { path, model, apiKey } = call;
  if (300 <= status && status < 400) {
    return {
      code: "BACKEND_BAD_RESPONSE",
      fault: `redirects ${path} to ${withoutQuery(headers.location ?? "another address")}`,
      advice: "give the address of the model server itself",
    };
  }
  switch (status) {
    case 401:
    case 403:
      return {
        code: "BACKEND_UNAUTHORIZED",
        fault: apiKey === null ? "wants a key" : "refuses the key",
        advice: `${apiKey === null ? "set" : "check"} MIDSPAN_API_KEY`,
      };
    case 404:
    case 405:
      return {
        code: "BACKEND_REFUSED",
        fault: `has nothing at ${path}${model === null ? "" : ` or no model ${model}`}`,
        advice: `check KIND and URL of --backend${model === null ? "" : ", and --model"}`,
      };
    case 408:
    case 504:
      return {
        code: "BACKEND_TIMEOUT",
        fault: "gave up waiting for the model",
        advice: "try again",
      };
    case 413:
      return {
        code: "BACKEND_REFUSED",
        fault: "finds the prompt too long",
        advice: "lower the prompt's length in the settings",
      };
    case 429:
      return {
        code: "BACKEND_RATE_LIMITED",
        fault: "asks to slow down",
        advice: waitAdvice(headers),
      };
    case 502:
      return {
        code: "BACKEND_UNREACHABLE",
        fault: "is a gateway that cannot reach its model server",
        advice: "start that server",
      };
    case 503:
      return {
        code: "BACKEND_OVERLOADED",
        fault: "is overloaded or still loads its model",
        advice: "wait and try again",
      };
    default:
      return {
        code: "BACKEND_REFUSED",
        fault: status >= 500 ? "failed at the request" : `refuses the request to ${path}`,
        advice: status >= 500 ? "look at its log" : "check KIND and URL of --backend",
      };
  }
}

function waitAdvice(headers: Readonly<Record<string, string>>): string {
  const waitMs = wishedWaitMs(headers);
  return waitMs === null ? "try again later" : `try again in ${Math.ceil(waitMs / 1000)} s`;
}

/** Servers name seconds or a date, and sometimes an absurd number: only what is up to an hour is heard. */
function wishedWaitMs(headers: Readonly<Record<string, string>>): number | null {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return 0 < seconds && seconds <= 3600 ? seconds * 1000 : null;
}

function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/, "").slice(0, 200);
}
