/**
 * Time that a replay turns. It jumps from one thing that happens to the next, so that an hour of
 * typing takes seconds, and the same run gives the same times. While a real backend works it cannot
 * jump: then one millisecond of it is one real millisecond, and what a backend takes counts in full.
 * The work of this process takes none of it: that is timed apart.
 */
import type { Dispose } from "../../base/event.ts";
import type { Clock } from "../../core/index.ts";

/** A backend that hangs must not stop time for good: then its timeout can come. In real ms. */
const MAX_HOLD_MS = 120_000;

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Starts at 0. Turned by one caller of `advanceTo` at a time. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  /** Time at the last jump, and the real time then while it flows. */
  #baseMs = 0;
  #flowingSince: number | null = null;
  #wake: (() => void) | null = null;
  /** What time waits for. */
  readonly #holds = new Set<Promise<void>>();

  now(): number {
    if (this.#flowingSince === null) return this.#baseMs;
    return this.#baseMs + (performance.now() - this.#flowingSince);
  }

  after(ms: number, callback: () => void): Dispose {
    const timer = { dueMs: this.now() + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Timers that have neither fired nor been cancelled. */
  get pendingCount(): number {
    return this.#timers.size;
  }

  /** Flows with real time from now on, or stands still between jumps again. */
  setFlowing(isFlowing: boolean): void {
    if (isFlowing === (this.#flowingSince !== null)) return;
    this.#baseMs = this.now();
    this.#flowingSince = isFlowing ? performance.now() : null;
    this.#wake?.();
  }

  /** The same promise; until it is settled, two minutes at most, time stands still. */
  heldUntil<T>(promise: Promise<T>): Promise<T> {
    const hold: Promise<void> = settledWithin(promise, MAX_HOLD_MS).then(
      () => void this.#holds.delete(hold),
    );
    this.#holds.add(hold);
    return promise;
  }

  /**
   * Moves time on to `targetMs`, or a little further while it flows, and fires what is due on the way.
   * Promises that a timer settles take their turn before time moves on.
   */
  async advanceTo(targetMs: number): Promise<void> {
    while (true) {
      await settle();
      if (this.#holds.size > 0) {
        await Promise.all(this.#holds);
        continue;
      }
      const due = this.#nextDue(targetMs);
      const stopMs = due?.dueMs ?? targetMs;
      if (this.#flowingSince !== null && this.now() < stopMs) {
        await this.#wait(stopMs - this.now());
        continue;
      }
      if (this.#flowingSince === null) this.#baseMs = Math.max(this.#baseMs, stopMs);
      if (due === null) return;
      this.#timers.delete(due);
      due.callback();
    }
  }

  /** Real time, ended early when the flow changes. */
  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  #nextDue(untilMs: number): Timer | null {
    let next: Timer | null = null;
    // Equal times keep the order of arrival.
    for (const timer of this.#timers) {
      if (timer.dueMs <= untilMs && (next === null || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

/** Resolves once every promise that is already settled has run its continuations. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Never rejects. */
function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(end, end);
  });
}
