/** Milliseconds that each stage of one request took. */
import type { Clock } from "../core/index.ts";
import type { Timings } from "./types.ts";

/** A stage with its own number in `Timings`. */
export type Stage = "queue" | "context" | "prompt" | "local" | "ttft" | "decode" | "post";

export class Trace {
  readonly #clock: Clock;
  readonly #stopwatch: Pick<Clock, "now">;
  readonly #startedAt: number;
  readonly #spent: Record<Stage, number> = {
    queue: 0,
    context: 0,
    prompt: 0,
    local: 0,
    ttft: 0,
    decode: 0,
    post: 0,
  };

  /** `stopwatch` times work, `clock` everything else; they differ where time is simulated. */
  constructor(clock: Clock, stopwatch: Pick<Clock, "now"> = clock) {
    this.#clock = clock;
    this.#stopwatch = stopwatch;
    this.#startedAt = clock.now();
  }

  /** Runs `work` and adds its time to the stage, whether it returns or throws. */
  time<T>(stage: Stage, work: () => T): T {
    const startedAt = this.#stopwatch.now();
    try {
      return work();
    } finally {
      this.add(stage, this.#stopwatch.now() - startedAt);
    }
  }

  /** Adds milliseconds that were measured elsewhere. */
  add(stage: Stage, ms: number): void {
    this.#spent[stage] += ms;
  }

  /** All stages so far, and the time since the request arrived. */
  timings(): Timings {
    const spent = this.#spent;
    return {
      queueMs: spent.queue,
      contextMs: spent.context,
      promptMs: spent.prompt,
      localMs: spent.local,
      ttftMs: spent.ttft,
      decodeMs: spent.decode,
      postMs: spent.post,
      totalMs: this.#clock.now() - this.#startedAt,
    };
  }
}
