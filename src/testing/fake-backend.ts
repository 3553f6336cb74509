import {
  type Backend,
  type BackendCapabilities,
  type BackendEvent,
  type BackendRequest,
  bareCapabilities,
  type Clock,
  type FinishReason,
} from "../core/index.ts";

/** One step of an answer; `afterMs` (default 0) counts from the step before it. */
export type FakeStep =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly afterMs?: number;
      readonly logProbability?: number;
    }
  | { readonly kind: "fail"; readonly error: unknown; readonly afterMs?: number }
  /** Nothing more comes until the caller gives up. */
  | { readonly kind: "hang" };

/** What one request is answered with. */
export interface FakeReply {
  readonly steps: readonly FakeStep[];
  /** Default `stop`. */
  readonly finishReason?: FinishReason;
  /** Default 0. */
  readonly cachedTokens?: number;
}

/** A text stands for a reply that sends it at once, in one piece. */
export type FakeScript = string | FakeReply | ((request: BackendRequest) => string | FakeReply);

export interface FakeBackendOptions {
  /** What each request is answered with; change `script` on the backend between requests. */
  readonly script?: FakeScript;
  /** Needed only when a step has an `afterMs` above 0. */
  readonly clock?: Clock;
  /** Overrides single capabilities; the default is a plain client-rendered server. */
  readonly capabilities?: Partial<BackendCapabilities>;
  /** Default `["fake"]`. */
  readonly models?: readonly string[];
}

/**
 * A backend that follows a script at the `Backend` port and counts what it is asked. As a real
 * server does, it ends its text before the first stop string. Without delays it answers at once.
 */
export class FakeBackend implements Backend {
  readonly kind = "fake";
  readonly address = "fake:";
  readonly capabilities: BackendCapabilities;
  /** Every request so far, oldest first. */
  readonly requests: BackendRequest[] = [];
  script: FakeScript;
  readonly #clock: Clock | null;
  readonly #models: readonly string[];
  #abortCount = 0;
  #openCount = 0;

  constructor(options: FakeBackendOptions = {}) {
    this.script = options.script ?? "";
    this.#clock = options.clock ?? null;
    this.#models = options.models ?? ["fake"];
    this.capabilities = {
      ...bareCapabilities,
      ...options.capabilities,
    };
  }

  /** Requests that the caller gave up, by signal or by leaving the loop, before their `done`. */
  get abortCount(): number {
    return this.#abortCount;
  }

  /** Requests being answered now; 0 at the end of a clean test. */
  get openCount(): number {
    return this.#openCount;
  }

  async *complete(
    request: BackendRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<BackendEvent> {
    const { signal } = options;
    signal.throwIfAborted();
    this.requests.push(request);
    const script = typeof this.script === "function" ? this.script(request) : this.script;
    const reply: FakeReply =
      typeof script === "string" ? { steps: [{ kind: "text", text: script }] } : script;
    let ended = false;
    let outputTokens = 0;
    this.#openCount++;
    try {
      for (const step of untilStop(reply.steps, request.stop)) {
        await this.#wait(step, signal);
        if (step.kind === "fail") {
          ended = true;
          throw step.error;
        }
        if (step.kind === "hang" || step.text === "") continue;
        outputTokens++;
        const { text, logProbability } = step;
        yield logProbability === undefined
          ? { kind: "text", text }
          : { kind: "text", text, logProbability };
        signal.throwIfAborted();
      }
      ended = true;
      yield {
        kind: "done",
        finishReason: reply.finishReason ?? "stop",
        usage: {
          inputTokens: request.prompt.tokens,
          cachedTokens: reply.cachedTokens ?? 0,
          outputTokens,
        },
      };
    } finally {
      this.#openCount--;
      if (!ended) this.#abortCount++;
    }
  }

  listModels(options: { readonly signal: AbortSignal }): Promise<readonly string[]> {
    options.signal.throwIfAborted();
    return Promise.resolve(this.#models);
  }

  /** Resolves when the step is due; rejects with the abort reason when the signal comes first. */
  #wait(step: FakeStep, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const ms = step.kind === "hang" ? Number.POSITIVE_INFINITY : (step.afterMs ?? 0);
    if (ms === 0) return Promise.resolve();
    if (ms !== Number.POSITIVE_INFINITY && this.#clock === null) {
      throw new Error("a fake backend with delays needs a clock");
    }
    return new Promise((resolve, reject) => {
      const stop =
        ms === Number.POSITIVE_INFINITY
          ? undefined
          : this.#clock?.after(ms, () => {
              signal.removeEventListener("abort", abort);
              resolve();
            });
      const abort = (): void => {
        stop?.();
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
    });
  }
}

/** The steps up to the first stop string in their joined text; everything when none occurs. */
function untilStop(steps: readonly FakeStep[], stops: readonly string[]): readonly FakeStep[] {
  const text = steps.map((step) => (step.kind === "text" ? step.text : "")).join("");
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  let left = Math.min(text.length, ...found);
  if (left === text.length) return steps;
  const kept: FakeStep[] = [];
  for (const step of steps) {
    if (step.kind !== "text") {
      kept.push(step);
      continue;
    }
    kept.push({ ...step, text: step.text.slice(0, left) });
    left -= step.text.length;
    // The stop is complete only when its last piece arrived, but a fake need not hold text back.
    if (left <= 0) break;
  }
  return kept;
}
