/**
 * Asks ahead for the state after a shown text is accepted, so that the next text is there with the
 * key that takes this one. One at a time, only while the backend has nothing else to do, and given up
 * as soon as somebody asks for something else: nobody waits for it.
 */
import {
  type AnswerCache,
  type Backend,
  type BackendRequest,
  type Clock,
  type ModelAnswer,
  TokenScoreList,
} from "../core/index.ts";
import type { HealedCutter } from "./healed-cutter.ts";

/** A question that nobody has asked yet. */
export interface Ahead {
  readonly key: string;
  readonly request: BackendRequest;
  readonly createCutter: () => HealedCutter;
  readonly timeoutMs: number;
}

/** Keys that are remembered as asked ahead; more than a person accepts in a row. */
const MAX_KEYS = 64;

export class Prefetch {
  readonly #backend: Backend;
  readonly #clock: Clock;
  readonly #cache: AnswerCache;
  readonly #keys = new Set<string>();
  #running: {
    readonly key: string;
    readonly controller: AbortController;
    readonly done: Promise<void>;
  } | null = null;

  constructor(backend: Backend, clock: Clock, cache: AnswerCache) {
    this.#backend = backend;
    this.#clock = clock;
    this.#cache = cache;
  }

  /** Starts; what ran before is given up. The answer goes to the cache, a failure nowhere. */
  start(ahead: Ahead): void {
    this.stop();
    if (this.#cache.get(ahead.key) !== null) return;
    const controller = new AbortController();
    const done = this.#run(ahead, controller).catch(() => {
      // Nobody asked, so nobody is told: the question itself will fail, or not, when it comes.
    });
    this.#running = { key: ahead.key, controller, done };
    void done.then(() => {
      if (this.#running?.controller === controller) this.#running = null;
    });
  }

  /** Gives up what runs, unless it is this very question: then resolves when it has ended. */
  async yieldTo(key: string): Promise<void> {
    if (this.#running?.key === key) await this.#running.done;
    else this.stop();
  }

  /** True while something is asked ahead. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** True for an answer that was asked ahead. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Gives up what runs. */
  stop(): void {
    this.#running?.controller.abort(new Error("no longer useful"));
    this.#running = null;
  }

  async #run(ahead: Ahead, controller: AbortController): Promise<void> {
    const stopTimer = this.#clock.after(ahead.timeoutMs, () => {
      controller.abort(new Error("time limit"));
    });
    try {
      const answer = await this.#read(ahead, controller.signal);
      if (answer === null || controller.signal.aborted) return;
      this.#cache.put(ahead.key, answer);
      this.#keys.add(ahead.key);
      const [oldest] = this.#keys;
      if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    } finally {
      stopTimer();
    }
  }

  /** The whole answer; `null` when it does not begin with what was demanded. */
  async #read(ahead: Ahead, signal: AbortSignal): Promise<ModelAnswer | null> {
    const cutter = ahead.createCutter();
    const list = new TokenScoreList(cutter.forcedLength);
    for await (const event of this.#backend.complete(ahead.request, { signal })) {
      signal.throwIfAborted();
      if (event.kind === "done") {
        const text = cutter.finish();
        const { finishReason } = event;
        return cutter.isMissed ? null : { text, finishReason, scores: list.scores };
      }
      list.push(event);
      const { text, done } = cutter.push(event.text);
      if (done && cutter.isMissed) return null;
      if (done) return { text, finishReason: "stop", scores: list.scores };
    }
    return null;
  }
}
