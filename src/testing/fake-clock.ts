import type { Dispose } from "../base/event.ts";
import type { Clock } from "../core/index.ts";

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Time that moves only when a test says so. Starts at 0. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, callback: () => void): Dispose {
    const timer = { dueMs: this.#nowMs + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Number of timers that have neither fired nor been cancelled; 0 at the end of a clean test. */
  get pendingCount(): number {
    return this.#timers.size;
  }

  /**
   * Moves time on by `ms` and fires what is due, in order of time, then of arrival. Promises that a
   * timer settles, and timers that those start within the span, take their turn before time moves on.
   */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await settle();
    for (let timer = this.#nextDue(endMs); timer !== null; timer = this.#nextDue(endMs)) {
      this.#fire(timer);
      await settle();
    }
    this.#nowMs = endMs;
  }

  /** As `advance`, for code without promises. */
  advanceSync(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let timer = this.#nextDue(endMs); timer !== null; timer = this.#nextDue(endMs)) {
      this.#fire(timer);
    }
    this.#nowMs = endMs;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#nowMs = timer.dueMs;
    timer.callback();
  }

  #nextDue(endMs: number): Timer | null {
    let next: Timer | null = null;
    // Equal times keep the order of the set, which is the order of arrival.
    for (const timer of this.#timers) {
      if (timer.dueMs <= endMs && (next === null || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

/** Resolves once every promise that is already settled has run its continuations. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
