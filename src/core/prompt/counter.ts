import { LruMap } from "../../base/lru.ts";
import type { FimFormat } from "./format-row.ts";
import { layoutOf } from "./layout.ts";
import type { TokenCounter } from "./tokens.ts";
import { estimatedTokenCounter } from "./tokens.ts";

const counters = new WeakMap<FimFormat, Map<string, TokenCounter>>();

/**
 * Counts text as it will stand in a prompt of the format, sentinels in it made harmless: the counter
 * for `nextWindow` and `buildPrompt`. One per format and language, so that counts can be kept.
 */
export function promptTokenCounter(format: FimFormat, languageId: string): TokenCounter {
  let known = counters.get(format);
  if (known === undefined) {
    known = new Map();
    counters.set(format, known);
  }
  let counter = known.get(languageId);
  if (counter === undefined) {
    const vocabulary = format.fim === "client" ? format.vocabulary : "large";
    const estimate = estimatedTokenCounter({ vocabulary, languageId });
    const { neutralise } = layoutOf(format);
    counter = remembering((text) => estimate.count(neutralise(text)));
    known.set(languageId, counter);
  }
  return counter;
}

/** One request counts its window several times over, and the next key press most of it again. */
const REMEMBERED_TEXTS = 32;

function remembering(count: (text: string) => number): TokenCounter {
  const known = new LruMap<string, number>(REMEMBERED_TEXTS);
  return {
    count(text) {
      const before = known.get(text);
      if (before !== undefined) return before;
      const tokens = count(text);
      known.set(text, tokens);
      return tokens;
    },
  };
}
