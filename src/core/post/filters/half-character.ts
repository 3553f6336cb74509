import { isHighSurrogate, isLowSurrogate } from "../../../base/text.ts";
import type { PostFilter } from "../filter.ts";
import { cutAt, unlessBlank } from "../filter.ts";

const REPLACEMENT = 0xfffd;

/**
 * U+FFFD and lone surrogates are halves of characters that the token limit or a stream broke. At the
 * end they are cut; in the middle the text is damaged and is not shown.
 */
export const halfCharacter: PostFilter = {
  name: "half-character",
  origin: "model",
  apply(candidate, context) {
    const { text } = candidate;
    const first = firstHalf(text, context.documentHolds("\ufffd"));
    if (first === text.length) return candidate;
    for (let i = first; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const isHalf = code === REPLACEMENT || isHighSurrogate(code) || isLowSurrogate(code);
      if (!isHalf && code > 32) return { reason: "invisible-character" };
    }
    return unlessBlank(cutAt(candidate, first), "empty");
  },
};

/** Offset of the first half character; the length when there is none. */
function firstHalf(text: string, allowsReplacement: boolean): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800) continue;
    if (code === REPLACEMENT && !allowsReplacement) return i;
    if (isLowSurrogate(code)) return i;
    if (isHighSurrogate(code)) {
      if (!isLowSurrogate(text.charCodeAt(i + 1))) return i;
      i++;
    }
  }
  return text.length;
}
