/** UTF-8 by hand: pure layers have no `TextEncoder`. Lone surrogates become U+FFFD. */
import type { ByteList } from "./int-list.ts";

/** Appends the bytes of `text`. */
export function pushUtf8(bytes: ByteList, text: string): void {
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code < 0x80) {
      bytes.push(code);
    } else if (code < 0x800) {
      bytes.push(0xc0 | (code >> 6));
      bytes.push(0x80 | (code & 63));
    } else if (code < 0x10000) {
      const kept = 0xd800 <= code && code < 0xe000 ? 0xfffd : code;
      bytes.push(0xe0 | (kept >> 12));
      bytes.push(0x80 | ((kept >> 6) & 63));
      bytes.push(0x80 | (kept & 63));
    } else {
      bytes.push(0xf0 | (code >> 18));
      bytes.push(0x80 | ((code >> 12) & 63));
      bytes.push(0x80 | ((code >> 6) & 63));
      bytes.push(0x80 | (code & 63));
    }
  }
}

/** The text of `bytes[start, end)`, which `pushUtf8` wrote. Never throws. */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; ) {
    const first = bytes[at] as number;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = length === 1 ? first : first & (0xff >> (length + 1));
    for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] ?? 0) & 63);
    text += String.fromCodePoint(Math.min(code, 0x10ffff));
    at += length;
  }
  return text;
}
