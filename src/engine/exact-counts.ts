/**
 * Token counts by the model's own tokenizer where its server has one. No key press waits for them:
 * what is not known yet is estimated, and counted a moment after the prompt was made.
 */
import type { Dispose } from "../base/event.ts";
import { LruMap } from "../base/lru.ts";
import {
  blockCounter,
  type Clock,
  harmlessText,
  promptTokenCounter,
  remembering,
  type TokenCounter,
  tokenBlocks,
} from "../core/index.ts";
import type { LanguageModel } from "./settings.ts";

/** Blocks that are remembered; with 300 characters each some 2 MB. */
const MAX_BLOCKS = 8_000;
/** A person who types on changes what there is to count: only a pause longer than between two keys counts. */
const PAUSE_MS = 400;
/** Where several people type and there is no pause, it is counted all the same. */
const MAX_WAIT_MS = 2_000;
/** A prompt of 4,096 tokens has some 60 blocks. */
const MAX_BLOCKS_AT_A_TIME = 128;

export class ExactCounts {
  readonly #model: LanguageModel;
  readonly #clock: Clock;
  readonly #known = new LruMap<string, number>(MAX_BLOCKS);
  /** By language. New ones after each answer of the tokenizer, since counters are remembered by. */
  readonly #counters = new Map<string, TokenCounter>();
  readonly #controller = new AbortController();
  /** What the newest prompt counted, and what is counted now. */
  #texts: readonly string[] = [];
  #noted: string[] | null = null;
  #stopTimer: Dispose | null = null;
  /** While the timer runs: when it is over at the latest. */
  #countBefore = 0;
  #isAsking = false;

  constructor(model: LanguageModel, clock: Clock) {
    this.#model = model;
    this.#clock = clock;
  }

  /** Exact as far as the text was counted before, an estimate on the safe side for the rest. */
  counter(languageId: string): TokenCounter {
    const estimate = promptTokenCounter(this.#model.format, languageId);
    if (!this.#model.backend.capabilities.tokenize) return estimate;
    const known = this.#counters.get(languageId);
    if (known !== undefined) return known;
    const blocks = blockCounter({ estimate, known: (block) => this.#known.get(block) });
    const remembered = remembering((text) => blocks.count(text));
    const counter: TokenCounter = {
      count: (text) => {
        this.#noted?.push(text);
        return remembered.count(text);
      },
    };
    this.#counters.set(languageId, counter);
    return counter;
  }

  /** Does the work, and has what was counted in it counted exactly when there is a pause. */
  learnFrom<T>(work: () => T): T {
    if (!this.#model.backend.capabilities.tokenize || this.#controller.signal.aborted)
      return work();
    const noted: string[] = [];
    this.#noted = noted;
    try {
      return work();
    } finally {
      this.#noted = null;
      this.#texts = noted;
      const now = this.#clock.now();
      if (this.#stopTimer === null) this.#countBefore = now + MAX_WAIT_MS;
      else this.#stopTimer();
      const waitMs = Math.max(0, Math.min(PAUSE_MS, this.#countBefore - now));
      this.#stopTimer = this.#clock.after(waitMs, () => {
        this.#stopTimer = null;
        // A failure leaves the estimate; the next prompt asks again.
        void this.#ask().catch(() => {});
      });
    }
  }

  /** Gives up what runs. */
  close(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#controller.abort(new Error("closed"));
  }

  async #ask(): Promise<void> {
    const { backend, format } = this.#model;
    if (this.#isAsking || backend.countTokens === undefined) return;
    const blocks = new Set(this.#texts.flatMap((text) => tokenBlocks(text)));
    const unknown = [...blocks].filter((block) => this.#known.get(block) === undefined);
    const asked = unknown.slice(0, MAX_BLOCKS_AT_A_TIME);
    if (asked.length === 0) return;
    this.#isAsking = true;
    try {
      const { signal } = this.#controller;
      for (const block of asked) {
        const tokens = await backend.countTokens(harmlessText(format, block), { signal });
        this.#known.set(block, tokens);
      }
    } finally {
      this.#isAsking = false;
      this.#counters.clear();
    }
  }
}
