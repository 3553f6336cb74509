/** Identifiers of a text and the words that they are made of. O(length), no patterns, no strings. */
import { isWordCode } from "../base/text.ts";

/** Words shorter than this say nothing. */
const MIN_WORD = 2;
/** What is longer is data, not a name. */
const MAX_IDENTIFIER = 100;

/** Calls `onIdentifier` with the range of each run of letters, digits, `_` and `$` in `[start, end)`. */
export function forEachIdentifier(
  text: string,
  range: { readonly start: number; readonly end: number },
  onIdentifier: (start: number, end: number) => void,
): void {
  const { end } = range;
  for (let at = range.start; at < end; ) {
    const code = text.charCodeAt(at);
    if (!isWordCode(code)) {
      at++;
      continue;
    }
    const start = at;
    do at++;
    while (at < end && isWordCode(text.charCodeAt(at)));
    const isNumber = 48 <= code && code <= 57;
    if (!isNumber && at - start <= MAX_IDENTIFIER) onIdentifier(start, at);
  }
}

/**
 * Calls `onWord` with the range of each word of an identifier: `getHTTPUser_v2` is `get`, `HTTP`,
 * `User`, `v2`.
 */
export function forEachWord(
  text: string,
  range: { readonly start: number; readonly end: number },
  onWord: (start: number, end: number) => void,
): void {
  const { end } = range;
  let start = range.start;
  const close = (at: number): void => {
    if (at - start >= MIN_WORD) onWord(start, at);
    start = at;
  };
  for (let at = range.start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 95 || code === 36) {
      close(at);
      start = at + 1;
    } else if (isUpper(code)) {
      const isAfterUpper = at > start && isUpper(text.charCodeAt(at - 1));
      const isBeforeLower = at + 1 < end && isLower(text.charCodeAt(at + 1));
      if (!isAfterUpper || isBeforeLower) close(at);
    }
  }
  close(end);
}

/** The words of a name, ASCII capitals as small letters. */
export function wordsOf(name: string): string[] {
  const words: string[] = [];
  forEachWord(name, { start: 0, end: name.length }, (start, end) => {
    words.push(name.slice(start, end).replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()));
  });
  return words;
}

function isUpper(code: number): boolean {
  return 65 <= code && code <= 90;
}

function isLower(code: number): boolean {
  return 97 <= code && code <= 122;
}
