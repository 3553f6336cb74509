/** The calls that the pages make, all to the server they came from. */
import { isAbort } from "../base/signal.ts";
import type { AutocompleteBody, AutocompleteReply } from "../protocol/autocomplete.ts";
import type { EventsBody, EventsReply } from "../protocol/events.ts";
import type { StatsReply } from "../protocol/stats.ts";
import type {
  HealthReply,
  WorkspaceFileReply,
  WorkspaceFilesReply,
} from "../protocol/workspace.ts";
import { readToken } from "./token.ts";

const token = readToken();
const EVENTS_LIMIT_MS = 10_000;

/** The server answered with an error; `code` is one of the table in `docs/errors.md`. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Nothing answered, or something that is not this server. */
export class ServerGone extends Error {
  override readonly name = "ServerGone";
}

/** Whether the server is there and what it holds. */
export function getHealth(signal: AbortSignal): Promise<HealthReply> {
  return send("v1/health", isHealth, { signal });
}

/** The files of the workspace; the server caps the list and says so. */
export function getFiles(signal: AbortSignal): Promise<WorkspaceFilesReply> {
  return send("v1/workspace/files", isFiles, { signal });
}

/** The text of one file; rejects with `ServerError` when it is denied or gone. */
export function getFile(path: string, signal: AbortSignal): Promise<WorkspaceFileReply> {
  return send(`v1/workspace/file?path=${encodeURIComponent(path)}`, isFile, { signal });
}

/** Asks for a completion; aborting `signal` closes the connection and stops the model. */
export function postAutocomplete(
  body: AutocompleteBody,
  signal: AbortSignal,
): Promise<AutocompleteReply> {
  return send("v1/autocomplete", isAutocomplete, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** Says what became of answers. With `isLast` the request outlives the page. */
export function postEvents(
  body: EventsBody,
  options: { readonly isLast: boolean },
): Promise<EventsReply> {
  return send("v1/events", isEvents, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    keepalive: options.isLast,
    signal: AbortSignal.timeout(EVENTS_LIMIT_MS),
  });
}

/** What the notes of the last days say; rejects with `ServerError` where none are kept. */
export function getStats(days: number, signal: AbortSignal): Promise<StatsReply> {
  return send(`v1/stats?days=${days}`, isStats, { signal });
}

async function send<T>(
  path: string,
  is: (value: unknown) => value is T,
  options: RequestInit & { readonly signal: AbortSignal },
): Promise<T> {
  const { signal } = options;
  let response: Response;
  let value: unknown;
  try {
    const headers = new Headers(options.headers);
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    response = await fetch(new URL(path, document.baseURI), { ...options, headers });
    value = await response.json();
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    throw new ServerGone(`no answer from ${location.host}`, { cause: error });
  }
  if (response.ok && is(value)) return value;
  if (isError(value)) throw new ServerError(value.error.code, value.error.message);
  throw new ServerGone(`${location.host} is not a Midspan server`);
}

function has<K extends string>(value: unknown, ...keys: readonly K[]): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && keys.every((key) => key in value);
}

// Page and server come from one build; these checks tell this server from another one on its port.
function isHealth(value: unknown): value is HealthReply {
  return has(value, "name", "version", "local", "threshold") && value.name === "midspan";
}

function isFiles(value: unknown): value is WorkspaceFilesReply {
  return has(value, "root", "files", "truncated") && Array.isArray(value.files);
}

function isFile(value: unknown): value is WorkspaceFileReply {
  return has(value, "path", "language", "text") && typeof value.text === "string";
}

function isAutocomplete(value: unknown): value is AutocompleteReply {
  return has(value, "id", "completion", "timings") && typeof value.completion === "string";
}

function isEvents(value: unknown): value is EventsReply {
  return has(value, "enabled", "taken");
}

function isStats(value: unknown): value is StatsReply {
  return has(value, "total", "languages", "by_day", "adaptation");
}

function isError(value: unknown): value is { error: { code: string; message: string } } {
  return has(value, "error") && has(value.error, "code", "message");
}
