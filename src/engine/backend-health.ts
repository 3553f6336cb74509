/** Whether the language model is left alone for a while, and the log lines that say so. */
import {
  admit,
  afterFailure,
  afterRefusal,
  afterSuccess,
  type Breaker,
  type Clock,
  type CompletionError,
  closedBreaker,
  type Log,
} from "../core/index.ts";
import type { LanguageModel } from "./settings.ts";

/** See `BackendHealth.state`. */
export type ModelHealth = "ready" | "failing" | "paused";

export class BackendHealth {
  readonly #options: {
    readonly model: LanguageModel;
    readonly clock: Pick<Clock, "now">;
    readonly log: Log | null;
  };
  #breaker: Breaker = closedBreaker;
  #lastFailure: CompletionError | null = null;

  /** `log`: told once when the model is left alone and once when it is back; `null` keeps silent. */
  constructor(options: {
    readonly model: LanguageModel;
    readonly clock: Pick<Clock, "now">;
    readonly log: Log | null;
  }) {
    this.#options = options;
  }

  /** How the language model does: `failing` after a failure, `paused` while it is left alone. */
  get state(): ModelHealth {
    if (this.#breaker.openUntilMs !== null) return "paused";
    return this.#lastFailure !== null ? "failing" : "ready";
  }

  /** Why the last question failed; `null` when it was answered. */
  get failure(): CompletionError | null {
    return this.#lastFailure;
  }

  /** True when the model may be asked now; after a pause that is one question at a time. */
  admits(): boolean {
    const { breaker, isAsked } = admit(this.#breaker, this.#options.clock.now());
    this.#breaker = breaker;
    return isAsked;
  }

  /** The model answered. */
  succeeded(): void {
    const { model, log } = this.#options;
    if (this.state === "paused") {
      log?.warn("the language model answers again", { address: model.backend.address });
    }
    this.#breaker = afterSuccess();
    this.#lastFailure = null;
  }

  /**
   * The model failed. A busy server and a refused request are no signs of a broken one, but what asks
   * for time is given it.
   */
  failed(error: CompletionError): void {
    this.#lastFailure = error;
    if (!isBroken(error) && error.retryAfterMs === null) return;
    const { model, log, clock } = this.#options;
    const before = this.#breaker;
    this.#breaker =
      error.retryAfterMs === null
        ? afterFailure(before, clock.now())
        : afterRefusal(before, clock.now(), error.retryAfterMs);
    if (before.openUntilMs !== null || this.#breaker.openUntilMs === null) return;
    log?.warn("the language model is left alone for a while", {
      address: model.backend.address,
      reason: error.code,
      failures: this.#breaker.failures,
    });
  }
}

function isBroken(error: CompletionError): boolean {
  const codes = ["BACKEND_UNREACHABLE", "BACKEND_TIMEOUT", "BACKEND_BAD_RESPONSE"];
  return codes.includes(error.code);
}
