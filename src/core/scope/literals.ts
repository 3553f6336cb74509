/** Where strings, characters, regular expressions and comments start and end, seen from one place. */
import { isWordCode } from "../../base/text.ts";
import type { Enclosure, LexicalRules } from "./lexical-rules.ts";
import { rawEnclosure, verbatimEnclosure } from "./lexical-rules.ts";

/** A longer "regular expression" is two divisions. */
const MAX_REGEX_LENGTH = 300;
/** C++ allows 16 characters between `R"` and `(`. */
const MAX_TAG_LENGTH = 16;
/** `'\u{10FFFF}'` is the longest quoted character. */
const MAX_QUOTED_LENGTH = 12;
/** Words after which `/` starts a regular expression. */
const operandWords = new Set(
  "return typeof case in of do else void delete throw new await yield if unless when and or not".split(
    " ",
  ),
);

/** Whether the mark of an enclosure that stands at `at` counts there. */
export function mayStart(
  rules: LexicalRules,
  text: string,
  at: number,
  enclosure: Enclosure,
): boolean {
  const { delimiter, kind } = enclosure;
  const { language } = rules;
  const before = at > 0 ? text.charCodeAt(at - 1) : 10;
  if (kind === "comment") {
    if (enclosure.multiline) return true;
    if (language.commentNeedsBlank) return before <= 32;
    // "https://…" in a style sheet or in the text of a page is no comment.
    return delimiter !== "//" || before !== 58 || !language.hasBareUrls;
  }
  if (delimiter !== "'" || !isWordCode(before)) return true;
  // The apostrophe of "don't" and the separator of 1'000 open nothing.
  let start = at;
  while (start > 0 && at - start < 4 && isWordCode(text.charCodeAt(start - 1))) start--;
  return language.stringPrefixes.includes(text.slice(start, at).toLowerCase());
}

/** Whether an operand, not an operator, is due at `at`; `lastCode` is the last significant unit. */
export function expectsOperand(text: string, at: number, lastCode: number): boolean {
  const endsOperand = [41, 93, 125, 34, 39].includes(lastCode);
  if (endsOperand || !isWordCode(lastCode)) return !endsOperand;
  let end = at;
  while (end > 0 && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 9)) end--;
  let start = end;
  while (start > 0 && end - start < 8 && isWordCode(text.charCodeAt(start - 1))) start--;
  return operandWords.has(text.slice(start, end));
}

/** False for a slash that no other slash follows on its line: a division, whatever stands before. */
export function regexEndsOnLine(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + MAX_REGEX_LENGTH);
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 10) return false;
    if (code === 92) i++;
    else if (code === 47) return true;
  }
  return false;
}

/** End of a literal such as `'x'` or `'\n'`; just after the quote when it is a lifetime. */
export function quotedCharacterEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 1) === 92) {
    const end = text.slice(at + 3, at + MAX_QUOTED_LENGTH).indexOf("'");
    return end >= 0 ? at + 3 + end + 1 : at + 1;
  }
  if (text.charCodeAt(at + 2) === 39 && text.charCodeAt(at + 1) !== 39) return at + 3;
  if (text.charCodeAt(at + 3) === 39 && text.charCodeAt(at + 1) >= 0xd800) return at + 4;
  return at + 1;
}

/** The literal of irregular form whose opening mark ends with the quote at `at`; `null` for none. */
export function rawLiteralAt(
  rules: LexicalRules,
  text: string,
  at: number,
): { readonly enclosure: Enclosure; readonly bodyStart: number } | null {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) === 35) start--;
  const hashes = "#".repeat(at - start);
  switch (rules.rawStyle) {
    case "swift":
      if (hashes === "" || text.startsWith('""', at + 1)) return null;
      return { enclosure: rawEnclosure(`${hashes}"`, `"${hashes}`), bodyStart: at + 1 };
    case "rust":
      if (start === 0 || text.charCodeAt(start - 1) !== 114) return null;
      return { enclosure: rawEnclosure(`r${hashes}"`, `"${hashes}`), bodyStart: at + 1 };
    case "cpp": {
      if (at === 0 || text.charCodeAt(at - 1) !== 82) return null;
      const paren = text.slice(at, at + MAX_TAG_LENGTH + 2).indexOf("(");
      if (paren < 0) return null;
      const tag = text.slice(at + 1, at + paren);
      return { enclosure: rawEnclosure(`R"${tag}(`, `)${tag}"`), bodyStart: at + paren + 1 };
    }
    case "verbatim": {
      const before = text.slice(Math.max(0, at - 2), at);
      const isVerbatim = before.endsWith("@") || before === "@$";
      return isVerbatim ? { enclosure: verbatimEnclosure, bodyStart: at + 1 } : null;
    }
    case null:
      return null;
  }
}

/**
 * End of a comment's text (the offset of its closing mark, -1 without one) and how deep comments are
 * nested there.
 */
export function commentEnd(
  text: string,
  from: number,
  comment: Enclosure,
  nesting: number,
): { readonly end: number; readonly nesting: number } {
  const { close, delimiter } = comment;
  let end = text.indexOf(close, from);
  if (!comment.nests || !comment.multiline) return { end, nesting };
  let depth = nesting;
  let open = text.indexOf(delimiter, from);
  for (;;) {
    if (open >= 0 && (end < 0 || open < end)) {
      depth++;
      const next = open + delimiter.length;
      open = text.indexOf(delimiter, next);
      if (end >= 0 && end < next) end = text.indexOf(close, next);
      continue;
    }
    if (end < 0) return { end, nesting: depth };
    depth--;
    if (depth <= 0) return { end, nesting: 0 };
    const next = end + close.length;
    end = text.indexOf(close, next);
    if (open >= 0 && open < next) open = text.indexOf(delimiter, next);
  }
}
