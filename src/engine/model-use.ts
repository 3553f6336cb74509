/** How often the language model was asked, and how often too late: what tunes the cascade and the wait. */

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
}

export class ModelUseCounter {
  #keys = 0;
  #asked = 0;
  #ended = 0;
  #late = 0;

  /** A key was pressed. */
  keyPressed(): void {
    this.#keys++;
  }

  /** A request was sent to the model. */
  asked(trigger: "invoked" | "automatic"): void {
    if (trigger === "automatic") this.#asked++;
  }

  /** A request to the model ended; `isLate` when who asked does not wait any more. */
  ended(isLate: boolean): void {
    this.#ended++;
    if (isLate) this.#late++;
  }

  /** The counts so far. */
  get counts(): ModelUse {
    return { keys: this.#keys, asked: this.#asked, ended: this.#ended, late: this.#late };
  }
}
