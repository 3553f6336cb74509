/**
 * How many requests the engine works on at once. When it is full, requests wait; the newest goes
 * first and a full queue drops its oldest, because the person behind an old request has typed on.
 */
import { CompletionError } from "../core/index.ts";

interface Waiting {
  readonly sinceMs: number;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

export interface AdmissionLimits {
  readonly maxInFlight: number;
  readonly maxQueued: number;
  /** A request that waited longer is refused when its turn comes. */
  readonly maxQueueMs: number;
}

export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #now: () => number;
  /** Oldest first. */
  #waiting: Waiting[] = [];
  #inFlight = 0;

  /** `now` gives monotonic milliseconds. */
  constructor(limits: AdmissionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Requests that entered and have not left. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests that wait. */
  get queued(): number {
    return this.#waiting.length;
  }

  /**
   * Runs `work` when its turn has come. Rejects with OVERLOADED when it is refused, with the reason
   * of `signal` when that aborts while it waits, otherwise as `work` does.
   */
  async run<T>(work: () => Promise<T>, options: { readonly signal: AbortSignal }): Promise<T> {
    if (this.#inFlight < this.#limits.maxInFlight) this.#inFlight++;
    else await this.#wait(options.signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (run: () => void): void => {
        signal.removeEventListener("abort", onAbort);
        run();
      };
      const waiting: Waiting = {
        sinceMs: this.#now(),
        start: () => settle(resolve),
        refuse: (reason) => settle(() => reject(reason)),
      };
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        waiting.refuse(signal.reason);
      };
      signal.addEventListener("abort", onAbort);
      this.#waiting.push(waiting);
      if (this.#waiting.length > this.#limits.maxQueued)
        this.#waiting.shift()?.refuse(overloaded());
    });
  }

  /** Hands the place to the newest request that is still worth it. */
  #leave(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      if (this.#now() - next.sinceMs <= this.#limits.maxQueueMs) {
        next.start();
        return;
      }
      next.refuse(overloaded());
    }
    this.#inFlight--;
  }
}

function overloaded(): CompletionError {
  return new CompletionError("OVERLOADED", "too many requests wait; try again");
}
