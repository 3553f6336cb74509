/** One model server: its address, its key, and JSON to and from it. Knows no protocol. */
import type { HttpClient, HttpResponse } from "../core/index.ts";
import { AnswerBody } from "./answer-body.ts";
import { LineReader } from "./line-reader.ts";
import { badResponse, type FailedCall, failureInside, statusFailure } from "./reply-failure.ts";
import { shownWords } from "./server-words.ts";
import { SseReader } from "./sse-reader.ts";

export interface ConnectionOptions {
  readonly http: HttpClient;
  /** Root of the server, such as `http://127.0.0.1:8080`. A final `/`, `/v1` or `/beta` is left out. */
  readonly url: string;
  /** Sent as a bearer token, never shown. `null` for none. */
  readonly apiKey: string | null;
}

/** One POST. */
export interface Call {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** For messages; `null` where the request names none. */
  readonly model: string | null;
  /** Never to be quoted in a message. */
  readonly prompt: string;
}

/** How the values of a stream are told apart. */
export type Framing = "sse" | "json-lines";

/** Bounds against a server that is none of ours: one event, one JSON answer, the body of an error. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_JSON_LENGTH = 4 * 1024 * 1024;
const MAX_ERROR_LENGTH = 16 * 1024;

export class Connection {
  /** For messages: without credentials, query, final slash or `/v1`. */
  readonly address: string;
  readonly #http: HttpClient;
  readonly #apiKey: string | null;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: ConnectionOptions) {
    const url = new URL(options.url);
    this.address = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/(v1|beta)$/, "");
    this.#http = options.http;
    this.#apiKey = options.apiKey;
    this.#headers = options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` };
  }

  /**
   * Posts and yields each JSON value of the answer as it arrives. Throws `CompletionError` for a
   * status other than 200, for an error object in the stream, and for what is no such stream.
   * Leaving the loop closes the connection; an answer read to its end leaves it to the next one.
   */
  async *stream(
    call: Call,
    options: {
      readonly framing: Framing;
      /** The value after which nothing of interest comes; `[DONE]` is known. */
      readonly isLast: (value: unknown) => boolean;
      readonly signal: AbortSignal;
    },
  ): AsyncGenerator<unknown> {
    const failed = this.#failedCall(call);
    const response = await this.#post(call, options.signal);
    if (response.status !== 200) throw await this.#refusal(failed, response);
    const contentType = response.headers["content-type"] ?? "";
    if (contentType.startsWith("text/html")) throw badResponse(failed, webPage);
    const body = new AnswerBody(response.body);
    let count = 0;
    for await (const data of datas(body, { failed, framing: options.framing, contentType })) {
      const value = data === "[DONE]" ? null : this.#checked(failed, data);
      count++;
      if (value !== null) yield value;
      if (value === null || options.isLast(value)) {
        body.letEnd();
        return;
      }
    }
    if (count === 0) throw badResponse(failed, "answered without an event; is KIND right?");
  }

  /** The failure of an answer that is JSON and no completion. */
  noAnswer(call: Call): Error {
    return badResponse(this.#failedCall(call), "answered with no completion; is KIND right?");
  }

  /** The failure of an answer that is JSON of another shape: what came, and what was expected. */
  oddAnswer(call: Call, reply: unknown, expected: string): Error {
    const failed = this.#failedCall(call);
    const came = shownWords(JSON.stringify(reply), failed);
    return badResponse(failed, `answered ${came} instead of ${expected}; is KIND right?`);
  }

  /** Posts and returns the whole answer as JSON. Throws as `stream` does. */
  async post(call: Call, options: { readonly signal: AbortSignal }): Promise<unknown> {
    return this.#whole(this.#failedCall(call), await this.#post(call, options.signal));
  }

  /** As `post`, for what has no body. */
  async get(path: string, options: { readonly signal: AbortSignal }): Promise<unknown> {
    const request = { method: "GET", url: this.address + path, headers: this.#headers } as const;
    const failed = this.#failedCall({ path, model: null, prompt: "" });
    return this.#whole(failed, await this.#http.send(request, options));
  }

  /** As `get`, for a page that is no JSON, such as metrics. */
  async getText(path: string, options: { readonly signal: AbortSignal }): Promise<string> {
    const request = { method: "GET", url: this.address + path, headers: this.#headers } as const;
    const response = await this.#http.send(request, options);
    const failed = this.#failedCall({ path, model: null, prompt: "" });
    if (response.status !== 200) throw await this.#refusal(failed, response);
    return textOf(response.body, MAX_JSON_LENGTH);
  }

  #post(call: Call, signal: AbortSignal): Promise<HttpResponse> {
    return this.#http.send(
      {
        method: "POST",
        url: this.address + call.path,
        headers: { ...this.#headers, "content-type": "application/json" },
        body: JSON.stringify(call.body),
      },
      { signal },
    );
  }

  async #whole(failed: FailedCall, response: HttpResponse): Promise<unknown> {
    if (response.status !== 200) throw await this.#refusal(failed, response);
    const text = await textOf(response.body, MAX_JSON_LENGTH);
    return this.#checked(failed, text);
  }

  #checked(failed: FailedCall, data: string): unknown {
    const value = parsed(failed, data);
    const failure = failureInside(failed, value);
    if (failure !== null) throw failure;
    return value;
  }

  async #refusal(failed: FailedCall, response: HttpResponse): Promise<Error> {
    const { status, headers } = response;
    return statusFailure(failed, {
      status,
      headers,
      body: await textOf(response.body, MAX_ERROR_LENGTH),
    });
  }

  #failedCall(call: Pick<Call, "path" | "model" | "prompt">): FailedCall {
    const { path, model, prompt } = call;
    return { address: this.address, path, model, prompt, apiKey: this.#apiKey };
  }
}

const webPage = "answered with a web page; is it the address of a model server?";

/** The data of each event. A server that ignores `stream` sends one JSON value, which counts as one. */
async function* datas(
  body: AsyncIterable<Uint8Array>,
  how: { readonly failed: FailedCall; readonly framing: Framing; readonly contentType: string },
): AsyncGenerator<string> {
  if (how.framing === "sse" && how.contentType.startsWith("application/json")) {
    yield await textOf(body, MAX_JSON_LENGTH);
    return;
  }
  const lines = new LineReader();
  const events = new SseReader();
  const read = (line: string): string | null =>
    how.framing === "sse" ? events.push(line) : line.trim() || null;
  for await (const bytes of body) {
    for (const line of lines.push(bytes)) {
      const data = read(line);
      if (data !== null) yield data;
    }
    if (lines.pendingLength > MAX_LINE_LENGTH) {
      throw badResponse(how.failed, "sends a line without end; is KIND right?");
    }
  }
  for (const line of lines.end()) {
    const data = read(line);
    if (data !== null) yield data;
  }
  const last = events.end();
  if (last !== null) yield last;
}

function parsed(failed: FailedCall, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw badResponse(
      failed,
      /^\s*</.test(data) ? webPage : "answered with text that is no JSON; is KIND right?",
    );
  }
}

/** The body as text, up to `maxLength` characters; the rest is not read. */
async function textOf(body: AsyncIterable<Uint8Array>, maxLength: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxLength) break;
  }
  return text.slice(0, maxLength);
}
