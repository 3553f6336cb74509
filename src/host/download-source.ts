/**
 * Opens a file on the network and follows its redirects by rules of our own: mirrors send large files
 * from other hosts, and a redirect must not become a way to another protocol, into a private network,
 * or to content that nobody vouches for.
 */
import { isLoopbackHost } from "../base/loopback.ts";
import { CompletionError, type HttpClient, type HttpResponse } from "../core/index.ts";

const MAX_REDIRECTS = 5;

/** What a person can do about a source, in words that end a sentence. */
export interface SourceAdvice {
  /** About what it sends. */
  readonly source: string;
  /** When it does not give the file to us. */
  readonly byHand: string;
  /** About a disk that is too small. */
  readonly room: string;
}

export interface SourceRules {
  readonly http: HttpClient;
  /** Refuses every address beyond loopback. */
  readonly isOffline: boolean;
  /** A checksum is known, so that it does not matter who sends the bytes. */
  readonly isVerified: boolean;
  readonly signal: AbortSignal;
  readonly advice: SourceAdvice;
}

/**
 * The answer after all redirects. No credentials are sent. Throws `DOWNLOAD_FAILED` for a redirect
 * that is refused, and what the HTTP client throws.
 */
export async function openSource(
  url: string,
  headers: Readonly<Record<string, string>>,
  rules: SourceRules,
): Promise<HttpResponse> {
  let here = new URL(url);
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    checkOffline(here, rules);
    const { signal } = rules;
    const request = { method: "GET", url: here.href, headers } as const;
    const response = await rules.http.send(request, { signal });
    const { status } = response;
    if (status < 300 || 400 <= status || status === 304) return response;
    await leave(response);
    here = target(here, response.headers.location ?? "", rules);
  }
  throw failed(`${new URL(url).host} redirects without end; ${rules.advice.source}`);
}

/** Lets go of an answer whose body does not matter: reads what is there and closes the connection. */
export async function leave(response: HttpResponse): Promise<void> {
  for await (const _ of response.body) return;
}

function target(from: URL, location: string, { isVerified, advice }: SourceRules): URL {
  if (!URL.canParse(location, from.href)) {
    throw failed(`${from.host} redirects to nowhere; ${advice.source}`);
  }
  const to = new URL(location, from.href);
  const refusal = refusalOf(from, to, isVerified);
  if (refusal === null) return to;
  throw failed(
    `${from.host} redirects to ${to.protocol}//${to.host}, ${refusal}; ${advice.byHand}`,
  );
}

function refusalOf(from: URL, to: URL, isVerified: boolean): string | null {
  if (to.protocol !== "https:" && to.protocol !== "http:") return "which is no web address";
  if (to.username !== "" || to.password !== "") return "which holds a password";
  if (from.protocol === "https:" && to.protocol !== "https:") return "which is not encrypted";
  if (to.host === from.host) return null;
  // Clouds keep secrets of a machine at link-local addresses; no mirror has its files there.
  if (isLinkLocal(to.hostname)) return "which only the machine itself is meant to ask";
  if (isPrivateHost(to.hostname) && !isPrivateHost(from.hostname)) {
    return "which is inside a private network";
  }
  return isVerified ? null : "and no checksum is known that would prove what comes from there";
}

function isLinkLocal(host: string): boolean {
  return /^(?:169\.254\.|\[fe[89ab][\da-f]:|\[::ffff:a9fe:)/i.test(host);
}

/** Loopback, link-local and the private ranges of RFC 1918 and RFC 4193, as literal addresses. */
function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    isLoopbackHost(bare) ||
    /^(0|10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      bare,
    ) ||
    /^(f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(bare) ||
    bare === "::" ||
    bare.startsWith("::ffff:")
  );
}

/** Throws when offline forbids the address. */
export function checkOffline(
  { host, hostname }: URL,
  { isOffline }: Pick<SourceRules, "isOffline">,
): void {
  if (!isOffline || isLoopbackHost(hostname)) return;
  throw failed(
    `${host} is not on this machine and --offline refuses it; go online, or fetch the file elsewhere and name it to midspan model run`,
  );
}

function failed(message: string): CompletionError {
  return new CompletionError("DOWNLOAD_FAILED", message);
}
