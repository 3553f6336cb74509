/**
 * Server-sent events of one completion: any number of `delta`, then exactly one `done`, or `error`
 * when something fails after the first byte. Nothing is written before there is something to say,
 * so that an earlier failure still has its HTTP status.
 */
import type { ServerResponse } from "node:http";
import { assert } from "../base/assert.ts";
import type { AutocompleteReply, DeltaEvent, ErrorReply } from "../protocol/autocomplete.ts";

/** `no-transform` and `x-accel-buffering` keep proxies from holding the text back. */
const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  #sent = "";

  /** `headers` go out with those of the stream. */
  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    this.#headers = headers;
  }

  /** True once a byte was written: from here on a failure can only be an event. */
  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  /** Sends text that is final. `""` sends nothing. */
  delta(text: string): void {
    if (text === "") return;
    this.#open();
    this.#sent += text;
    this.#response.write(deltaEvent(text));
  }

  /** Sends what is missing of the completion, then the whole answer, and ends. */
  done(reply: AutocompleteReply): void {
    assert(reply.completion.startsWith(this.#sent), "deltas are the start of the completion");
    const rest = reply.completion.slice(this.#sent.length);
    this.#open();
    this.#response.end((rest === "" ? "" : deltaEvent(rest)) + event("done", reply));
  }

  /** Sends the failure and ends. */
  fail(reply: ErrorReply): void {
    this.#open();
    this.#response.end(event("error", reply));
  }

  #open(): void {
    if (!this.isOpen) this.#response.writeHead(200, { ...this.#headers, ...streamHeaders });
  }
}

function deltaEvent(text: string): string {
  return event("delta", { text } satisfies DeltaEvent);
}

/** JSON has no raw line end, so one `data:` line is enough. */
function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
