/**
 * Typing without evaluating the suffix again, for models whose prompt has the suffix after the prefix.
 *
 * The prefix is frozen as it was, and what is typed after it follows the last sentinel, as if the
 * model had begun its answer with it ("EFIM", Guo et al. 2025). Nothing before the typed text
 * changes, so a server evaluates that text alone. The frozen part ends at a line start, where no
 * token is cut in two, which is why this needs no training: a middle that begins at a line start is
 * what such models were trained on.
 */
import type { TokenCounter } from "./tokens.ts";

/** What was frozen for the last prompt of a document. */
export interface FrozenPrefix {
  /** The part of the prefix that stands before the suffix. */
  readonly prefix: string;
  readonly suffix: string;
}

/** More typed text than this is taken into the prefix: the prompt is then evaluated once more. */
const MAX_TYPED_TOKENS = 64;

/**
 * What stands before the suffix now; the rest of `window.prefix` was typed since. What was frozen
 * stays while the suffix is the same and the prefix goes on from it, for up to 64 tokens.
 */
export function freezePrefix(
  previous: FrozenPrefix | null,
  window: { readonly prefix: string; readonly suffix: string },
  counter: TokenCounter,
): FrozenPrefix {
  const { prefix, suffix } = window;
  if (
    previous !== null &&
    previous.suffix === suffix &&
    prefix.startsWith(previous.prefix) &&
    counter.count(prefix.slice(previous.prefix.length)) <= MAX_TYPED_TOKENS
  ) {
    return previous;
  }
  return { prefix: prefix.slice(0, prefix.lastIndexOf("\n") + 1), suffix };
}
