/** How often the language model was asked, was too late or failed: what tunes the cascade and the wait. */

/** Counts since the start of the engine. */
export interface ModelUse {
  /** Automatic requests: about one for each key press. */
  readonly keys: number;
  /** Of those, the ones that sent a request to the language model. Joining one sends none. */
  readonly asked: number;
  /** Requests to the language model that ended, by failure and by being given up too. */
  readonly ended: number;
  /** Of those, the ones during which the next key was pressed or the caller left. */
  readonly late: number;
  /** Of those that ended, the ones that failed or reached the time limit; none of them is `late` too. */
  readonly failed: number;
}

export class ModelUseCounter {
  #keys = 0;
  #asked = 0;
  #ended = 0;
  #late = 0;
  #failed = 0;

  /** A key was pressed. */
  keyPressed(): void {
    this.#keys++;
  }

  /** A request was sent to the model. */
  asked(trigger: "invoked" | "automatic"): void {
    if (trigger === "automatic") this.#asked++;
  }

  /** A request to the model ended; `late` when who asked does not wait any more. */
  ended(how: "in-time" | "late" | "failed"): void {
    this.#ended++;
    if (how === "late") this.#late++;
    if (how === "failed") this.#failed++;
  }

  /** The counts so far. */
  get counts(): ModelUse {
    return {
      keys: this.#keys,
      asked: this.#asked,
      ended: this.#ended,
      late: this.#late,
      failed: this.#failed,
    };
  }
}
