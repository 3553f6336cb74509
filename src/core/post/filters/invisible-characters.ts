import type { PostFilter } from "../filter.ts";

/**
 * Code points that change how text reads without being seen: controls, direction overrides
 * (CVE-2021-42574), zero-width characters, fillers, variation selectors and tags.
 */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0x0000, 0x0008],
  [0x000b, 0x000c],
  [0x000e, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe01ef],
];

const ZERO_WIDTH_JOINER = 0x200d;
const EMOJI_SELECTOR = 0xfe0f;

/** A text with an invisible character that the document does not have is not shown. */
export const invisibleCharacters: PostFilter = {
  name: "invisible-characters",
  origin: "all",
  apply(candidate, context) {
    const { text } = candidate;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      // Nearly all text is printable ASCII.
      if ((32 <= unit && unit < 127) || unit === 10 || unit === 9) continue;
      const code = text.codePointAt(i) ?? unit;
      const length = code > 0xffff ? 2 : 1;
      if (isInvisible(code) && !context.documentHolds(text.slice(i, i + length))) {
        if (!isPartOfEmoji(text, i, code)) return { reason: "invisible-character" };
      }
      i += length - 1;
    }
    return candidate;
  },
};

function isInvisible(code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last);
}

/** A joiner between two pictographs, or the selector after one, is how emoji are written. */
function isPartOfEmoji(text: string, at: number, code: number): boolean {
  if (code !== ZERO_WIDTH_JOINER && code !== EMOJI_SELECTOR) return false;
  const before = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[#*0-9]|\ufe0f)$/u;
  if (!before.test(text.slice(Math.max(0, at - 2), at))) return false;
  return code === EMOJI_SELECTOR || /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
}
