/**
 * Who may ask. On loopback a web page elsewhere must not reach the server through the person's own
 * browser: neither by a name that resolves to 127.0.0.1 (the Host header gives it away) nor from a
 * foreign page (the Origin header does). Elsewhere a token is required.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIPv4 } from "node:net";
import { CompletionError } from "../core/index.ts";

/** True for an address that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** Headers that every answer carries. No CORS header is among them, on purpose. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
}

/**
 * For the page: scripts come from here only. Monaco adds style elements and loads its font and icons
 * from data addresses; its worker may start from a blob of its own.
 */
export const pageContentSecurityPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Checks the head of each request. */
export class Gate {
  /** Names that a Host header may have; `null` when bound to a public address. */
  readonly #names: ReadonlySet<string> | null;
  readonly #tokenDigest: Buffer | null;

  /** CONFIG_INVALID when `boundHost` is public and there is no token; `""` is none. */
  constructor(options: { readonly boundHost: string; readonly token: string | null }) {
    const { boundHost } = options;
    const token = options.token === "" ? null : options.token;
    const isLoopback = isLoopbackHost(boundHost);
    if (!isLoopback && token === null) {
      throw new CompletionError(
        "CONFIG_INVALID",
        `binding to ${boundHost} makes the server reachable for others: set a token`,
      );
    }
    this.#names = isLoopback ? new Set(["127.0.0.1", "localhost", "[::1]", boundHost]) : null;
    this.#tokenDigest = token === null ? null : digest(token);
  }

  /** FORBIDDEN unless Host and Origin are those of this server. `port` is the bound one. */
  checkOrigin(headers: IncomingHttpHeaders, port: number): void {
    const host = headers.host?.toLowerCase() ?? "";
    if (this.#names !== null && !isNamed(host, this.#names, port)) {
      throw new CompletionError("FORBIDDEN", `the Host header ${quoted(host)} is not this server`);
    }
    const origin = headers.origin?.toLowerCase();
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new CompletionError("FORBIDDEN", `the Origin ${quoted(origin)} is not this server`);
    }
  }

  /** UNAUTHORIZED unless the request carries the token, where one is set. */
  checkToken(headers: IncomingHttpHeaders): void {
    if (this.#tokenDigest === null) return;
    const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
    // Digests have one length, so that the comparison takes the same time for every wrong token.
    if (given === undefined || !timingSafeEqual(digest(given), this.#tokenDigest)) {
      throw new CompletionError("UNAUTHORIZED", "send the header Authorization: Bearer TOKEN");
    }
  }
}

function isNamed(host: string, names: ReadonlySet<string>, port: number): boolean {
  if (names.has(host)) return port === 80;
  const colon = host.lastIndexOf(":");
  return names.has(host.slice(0, colon)) && host.slice(colon + 1) === String(port);
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}
