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

/** A text as it will stand in a prompt of the format: sentinels in it made harmless. */
export function harmlessText(format: FimFormat, text: string): string {
  return layoutOf(format).neutralise(text);
}

/** One request counts its prefix and its suffix several times over. */
const REMEMBERED_TEXTS = 8;

/**
 * A counter that knows the last few texts. Compares them instead of hashing them: most differ in
 * length, and equal ones are compared fast.
 */
export function remembering(count: (text: string) => number): TokenCounter {
  const texts: string[] = [];
  const counts: number[] = [];
  let next = 0;
  return {
    count(text) {
      const found = texts.indexOf(text);
      if (found >= 0) return counts[found] as number;
      const tokens = count(text);
      texts[next] = text;
      counts[next] = tokens;
      next = (next + 1) % REMEMBERED_TEXTS;
      return tokens;
    },
  };
}
