import { indentOf, isWordCode } from "../../../base/text.ts";
import type { PostContext } from "../context.ts";
import type { PostFilter } from "../filter.ts";
import { dropStart, unlessBlank } from "../filter.ts";
import { lineDamage } from "../line-damage.ts";
import { hasLetter } from "../lines.ts";

/** As many lines above the cursor as a proposal may repeat. */
const MAX_LINES = 12;
/** A word shorter than this is no sign that the model began it again. */
const MIN_WORD = 3;

/**
 * A proposal that starts again loses the part that already stands before the cursor: the lines above
 * and the line so far, the line so far, or the word so far.
 */
export const repeatedHead: PostFilter = {
  name: "repeated-head",
  origin: "model",
  apply(candidate, context) {
    const { text } = candidate;
    const typed = repeatedLines(text, context) || repeatedLine(text, context);
    const start = typed || repeatedWord(text, context.head);
    if (start === 0) return candidate;
    // "max(" followed by "max(a, b), c)" is a call in a call: the line says which reading fits.
    const cut = dropStart(candidate, start);
    if (lineDamage(candidate.text, context) < lineDamage(cut.text, context)) return candidate;
    return unlessBlank(cut, "duplicate");
  },
};

/** Length of the start of `text` that repeats whole lines above and the line so far. */
function repeatedLines(text: string, context: PostContext): number {
  const { prefix, head } = context;
  let start = prefix.length - head.length;
  let length = 0;
  let words = 0;
  for (let i = 0; i < MAX_LINES && start > 0; i++) {
    const above = prefix.lastIndexOf("\n", start - 2) + 1;
    if (hasLetter(prefix.slice(above, start))) words++;
    start = above;
    // An indented empty line repeated to the column is a restart; a line at the margin may be a row.
    if (words < (context.headIsBlank && head === "" ? 2 : 1)) continue;
    const repeated = withUnixEnds(prefix.slice(start));
    const offset = text.startsWith(repeated) ? repeated.length : 0;
    const trimmed = repeated.trimStart();
    length = Math.max(length, offset || (text.startsWith(trimmed) ? trimmed.length : 0));
  }
  return length;
}

/** Length of the start of `text` that repeats the line so far. */
function repeatedLine(text: string, context: PostContext): number {
  const typed = context.head.trim();
  // After a single letter, a word that starts with it is as likely another word.
  if (typed.length < 2 || !hasLetter(typed)) return 0;
  const indent = indentOf(text).length;
  if (!text.startsWith(typed, indent)) return 0;
  // The blank between "x =" and the rest stands before the cursor too.
  const blanks = context.head.slice(context.head.trimEnd().length);
  const end = indent + typed.length;
  return end + (text.startsWith(blanks, end) ? blanks.length : 0);
}

/** Length of the start of `text` that repeats the word so far and goes on with it. */
function repeatedWord(text: string, head: string): number {
  let start = head.length;
  while (start > 0 && isWordCode(head.charCodeAt(start - 1))) start--;
  const word = head.slice(start);
  if (word.length < MIN_WORD || !text.startsWith(word)) return 0;
  return text.length > word.length && isWordCode(text.charCodeAt(word.length)) ? word.length : 0;
}

function withUnixEnds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n/g, "\n") : text;
}
