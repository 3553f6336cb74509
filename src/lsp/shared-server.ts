/**
 * A running `midspan serve` as seen from here: whether it is there, its answers, and the events that it
 * keeps for us. While it is away it is asked for its health now and then, never on the path of a key.
 */
import type { Dispose } from "../base/event.ts";
import { Emitter } from "../base/event.ts";
import { linkSignals } from "../base/signal.ts";
import { type Clock, CompletionError, type HttpClient, type Log } from "../core/index.ts";
import type { AutocompleteBody } from "../protocol/autocomplete.ts";
import type { WireEvent } from "../protocol/events.ts";
import { parseJson } from "../protocol/parse-json.ts";

/** How often a server that is away is looked for. */
const RETRY_MS = 2_000;
/** A server of this machine that has not said anything by then is as good as away. */
const HEALTH_MS = 1_000;

export interface SharedServerOptions {
  /** `http://127.0.0.1:4477`, without a slash at its end. */
  readonly url: string;
  /** Bearer token; `""` for none. */
  readonly token: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
  /** An answer that takes longer counts as none. */
  readonly timeoutMs: number;
}

export class SharedServer {
  /** Told when the server comes and goes. */
  readonly changes: Emitter<boolean> = new Emitter<boolean>();
  readonly #options: SharedServerOptions;
  #isThere = false;
  #cancelRetry: Dispose = () => {};
  #isClosed = false;

  constructor(options: SharedServerOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  /** True while it answers. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** Looks for it; resolves with what its health says, `null` when it is away. Never rejects. */
  async find(): Promise<unknown> {
    try {
      const health = await this.#send("GET", "/v1/health", null, { limitMs: HEALTH_MS });
      this.#become(true);
      return health;
    } catch {
      this.#become(false);
      return null;
    }
  }

  /** Asks it. `null` when it is away or failed: somebody else must answer. Rejects on abort only. */
  async complete(
    body: AutocompleteBody,
    options: { readonly signal: AbortSignal },
  ): Promise<unknown> {
    const { signal } = options;
    try {
      const limitMs = this.#options.timeoutMs;
      return await this.#send("POST", "/v1/autocomplete", body, { limitMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(error);
      return null;
    }
  }

  /** Hands it an event. Resolves when it is kept; rejects when that failed. */
  async tell(event: WireEvent, client: string): Promise<void> {
    const body = { sent_at: event.ts, client, events: [event] };
    await this.#send("POST", "/v1/events", body, { limitMs: this.#options.timeoutMs });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#options.log.warn("the server did not answer", { url: this.url, error: message });
    // A server that is busy or has no model is still there.
    const isBusy = error instanceof CompletionError && error.code === "OVERLOADED";
    if (!isBusy) this.#become(false);
  }

  #become(isThere: boolean): void {
    this.#cancelRetry();
    if (!isThere && !this.#isClosed) {
      this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => void this.find());
    }
    if (isThere === this.#isThere) return;
    this.#isThere = isThere;
    this.changes.emit(isThere);
  }

  async #send(
    method: "GET" | "POST",
    path: string,
    body: unknown,
    options: { readonly limitMs: number; readonly signal?: AbortSignal },
  ): Promise<unknown> {
    const { url, token, http, clock } = this.#options;
    const { controller, unlink } = linkSignals(options.signal);
    const cancelLimit = clock.after(options.limitMs, () => {
      controller.abort(new Error(`no answer within ${options.limitMs} ms`));
    });
    try {
      const response = await http.send(
        {
          ...{ method, url: `${url}${path}` },
          headers: {
            ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
            ...(body === null ? {} : { "content-type": "application/json" }),
          },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        },
        { signal: controller.signal },
      );
      const parts: Uint8Array[] = [];
      for await (const part of response.body) parts.push(part);
      const text = Buffer.concat(parts).toString("utf8");
      if (response.status === 200) return parseJson(text);
      const code = response.status === 503 ? "OVERLOADED" : "BACKEND_BAD_RESPONSE";
      throw new CompletionError(code, `${url}${path} answered ${response.status}`);
    } finally {
      cancelLimit();
      unlink();
    }
  }
}
