/**
 * Answers of language models, kept for the exact question. A character deleted and typed again, or a
 * file opened again, asks a question that was asked before: it costs nothing then.
 */
import { LruMap } from "../../base/lru.ts";
import type { BackendRequest } from "../ports.ts";
import type { TokenScore } from "../show/token-scores.ts";
import type { FinishReason } from "../types.ts";

/** What a model said to a question, before post-processing. `""` is an answer too. */
export interface ModelAnswer {
  readonly text: string;
  readonly finishReason: FinishReason;
  /** How sure the model was of each token; empty where it does not say. */
  readonly scores: readonly TokenScore[];
}

/**
 * The exact question as one text: everything that decides what a model says. `stopRule` names the
 * rules of ours that end the text early, such as `line` or `block`; equal keys mean equal questions,
 * since each part is preceded by its length.
 */
export function answerKey(request: BackendRequest, stopRule: string): string {
  const { model, prompt, maxTokens, temperature, stop } = request;
  const texts = prompt.kind === "rendered" ? [prompt.text] : [prompt.prefix, prompt.suffix];
  return [model, stopRule, `${maxTokens}`, `${temperature}`, `${stop.length}`, ...stop, ...texts]
    .map((part) => `${part.length}:${part}`)
    .join("");
}

/** What a cache may hold. */
export interface AnswerCacheLimits {
  /** At least 1. */
  readonly maxEntries: number;
  /** UTF-16 units of keys and texts together. */
  readonly maxChars: number;
}

/** 500 answers and 8 million units: at most about 16 MB, usually a quarter of that. */
export const answerCacheLimits: AnswerCacheLimits = { maxEntries: 500, maxChars: 8_000_000 };

/**
 * The answers used most recently. Only finished answers get in: a failure throws and never comes
 * here, and a text that the time limit cut says nothing about what the model would have said.
 */
export class AnswerCache {
  // The map compares whole keys, not hashes, so that a collision cannot give a foreign answer.
  readonly #answers: LruMap<string, { readonly key: string; readonly answer: ModelAnswer }>;

  constructor(limits: AnswerCacheLimits = answerCacheLimits) {
    this.#answers = new LruMap(limits.maxEntries, {
      max: limits.maxChars,
      of: ({ key, answer }) => key.length + answer.text.length,
    });
  }

  /** The answer to the same question; `null` when it was not asked or is forgotten. */
  get(key: string): ModelAnswer | null {
    return this.#answers.get(key)?.answer ?? null;
  }

  /** Keeps a finished answer; one that the time limit cut is not kept. */
  put(key: string, answer: ModelAnswer): void {
    if (answer.finishReason !== "timeout") this.#answers.set(key, { key, answer });
  }

  /** Number of answers now held. */
  get size(): number {
    return this.#answers.size;
  }

  /** Forgets all. */
  clear(): void {
    this.#answers.clear();
  }
}
