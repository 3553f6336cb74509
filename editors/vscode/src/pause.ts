/** Whether suggestions are held back while typing: paused by hand, or snoozed for a while. */
import { EventEmitter } from "vscode";

/** The longest that a timer of Node can wait. */
const MAX_MS = 2 ** 31 - 1;

export class Pause {
  readonly #changed = new EventEmitter<void>();
  readonly onChange = this.#changed.event;
  #state: { readonly until: number | null } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isOn(): boolean {
    return this.#state !== null;
  }

  /** When it ends by itself; `null` when it does not, or is not on. */
  get until(): Date | null {
    const until = this.#state?.until ?? null;
    return until === null ? null : new Date(until);
  }

  /** `ms`: how long; `null` until somebody resumes. */
  start(ms: number | null): void {
    clearTimeout(this.#timer);
    this.#state = { until: ms === null ? null : Date.now() + ms };
    if (ms !== null) this.#timer = setTimeout(() => this.end(), Math.min(ms, MAX_MS));
    this.#changed.fire();
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#state === null) return;
    this.#state = null;
    this.#changed.fire();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }
}
