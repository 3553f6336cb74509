/**
 * Keeps text of a user from becoming a control token. A server's tokenizer takes a sentinel for what
 * it is wherever it stands, so one that the user's files contain would cut the prompt in two.
 */

/** Stands inside a sentinel of the user's: the reader sees no difference, the tokenizer does. */
const ZERO_WIDTH_SPACE = "\u200b";
const REPLACEMENT = "\ufffd";

/** Returns the text harmless; the same string when nothing in it is. */
export type Neutralise = (text: string) => string;

/**
 * A function that breaks every occurrence of `specials` with a zero-width space behind its first
 * character, and replaces half surrogate pairs, which cannot be sent as UTF-8. Each position is
 * looked at once and for itself, so overlapping sentinels are all found and nothing backtracks.
 */
export function createNeutralise(specials: readonly string[]): Neutralise {
  const heads = specials
    .filter((special) => special !== "")
    .map((special) => `${escapeRegExp(special.slice(0, 1))}(?=${escapeRegExp(special.slice(1))})`);
  const pattern = heads.length === 0 ? null : new RegExp(heads.join("|"), "g");
  return (text) => {
    const whole = /[\ud800-\udfff]/.test(text)
      ? text.replace(/\p{Surrogate}/gu, REPLACEMENT)
      : text;
    return pattern === null ? whole : whole.replace(pattern, `$&${ZERO_WIDTH_SPACE}`);
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
