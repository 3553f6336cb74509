/**
 * Where to cut a prompt for token healing.
 *
 * A tokenizer reads `http:` and `http://` in different pieces, so a prompt that ends between two
 * pieces of one token makes the model write something that it has rarely seen. The cure: end the
 * prompt before the last run of letters, blanks or marks, and demand that the answer begins with what
 * was cut (guidance's "token healing", over whole runs instead of one token, because one token is not
 * always enough). While a word is typed the prompt stays the same, and so does its KV cache.
 */
import { isHighSurrogate, isLowSurrogate, isWordCode } from "../../base/text.ts";

/** Longer runs are no tokens; cutting them would only make the model write much again. */
const MAX_CUT_UNITS = 32;

/**
 * Length of the end of `prefix` that is cut from the prompt and demanded of the answer: the last run
 * of word characters or of marks with the blanks before it, or the last run of blanks. 0 at the start
 * of a text and of a line, where nothing can be split.
 */
export function healingCut(prefix: string): number {
  let start = prefix.length;
  const last = start > 0 ? prefix.charCodeAt(start - 1) : LINE_FEED;
  if (isLineEnd(last)) return 0;
  if (!isBlank(last)) {
    const isSame = isWordCode(last) ? isWordCode : isMark;
    while (start > 0 && isSame(prefix.charCodeAt(start - 1))) start--;
  }
  while (start > 0 && isBlank(prefix.charCodeAt(start - 1))) start--;
  if (prefix.length - start > MAX_CUT_UNITS) return 0;
  // Half a character in front of the cut would be no text.
  const splits =
    start > 0 &&
    start < prefix.length &&
    isHighSurrogate(prefix.charCodeAt(start - 1)) &&
    isLowSurrogate(prefix.charCodeAt(start));
  return prefix.length - (splits ? start - 1 : start);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isMark(code: number): boolean {
  return !isWordCode(code) && !isBlank(code) && !isLineEnd(code);
}
