/** What went wrong below HTTP, in one sentence: what, why, what next. */
import { CompletionError, type ErrorCode } from "../core/index.ts";

/** The connection was closed by the other side, perhaps before it read a byte. */
const resetCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** What we ended ourselves, and why: a limit, or the end of the program. */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly code: "late" | "closed" | "too long";

  constructor(code: ConnectionFailure["code"]) {
    super(`the connection is ${code}`);
    this.code = code;
  }
}

/** True when a connection that stood was closed; false for one that was never made. */
export function isReset(error: unknown): boolean {
  return resetCodes.has(codeOf(error));
}

/** The coded error for a failed request to `url`. */
export function httpFailure(error: unknown, url: URL): CompletionError {
  const { code, says } = explain(codeOf(error), url);
  return new CompletionError(code, `${url.origin} ${says}`, { cause: error });
}

function explain(code: string, url: URL): { readonly code: ErrorCode; readonly says: string } {
  if (code === "HPE_HEADER_OVERFLOW") {
    return bad("sent response headers over the limit; is it a model server?");
  }
  if (code.startsWith("HPE_")) {
    return bad("does not speak HTTP; check the port, and whether it wants https");
  }
  if (code.startsWith("ERR_TLS_") || code.includes("CERT") || code.includes("SIGNED")) {
    return unreachable(`has a certificate that is not trusted (${code}); set NODE_EXTRA_CA_CERTS`);
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return bad("does not speak TLS; write http instead of https");
  }
  switch (code) {
    case "ECONNREFUSED":
      return unreachable("refuses connections; start the model server or correct the address");
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return unreachable(`cannot be found; check the name ${url.hostname} and the network`);
    case "late":
    case "ETIMEDOUT":
      return unreachable("takes no connection in time; check the address, the network, a firewall");
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return unreachable("cannot be reached from this machine; check the network");
    case "closed":
      return unreachable("is not asked any more, because the program ends");
    case "too long":
      return bad("sent an answer over the size limit; is it a model server?");
    default:
      return resetCodes.has(code)
        ? unreachable("closed the connection before its answer was complete; look at its log")
        : unreachable(`failed (${code === "" ? "unknown cause" : code})`);
  }
}

const bad = (says: string) => ({ code: "BACKEND_BAD_RESPONSE", says }) as const;
const unreachable = (says: string) => ({ code: "BACKEND_UNREACHABLE", says }) as const;

/** The code of the error, or of the first of several that were tried; `""` for none. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}
