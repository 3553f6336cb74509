import { isWordCode } from "../../../base/text.ts";
import type { PostFilter } from "../filter.ts";
import { cutAt, unlessBlank } from "../filter.ts";

/**
 * The end that a limit cut is dropped: the last line when others remain, otherwise the last word,
 * which may be half of one. A text that was cut at a line end is whole.
 */
export const tokenLimit: PostFilter = {
  name: "token-limit",
  origin: "model",
  apply(candidate) {
    if (!candidate.endIsCut) return candidate;
    const { text } = candidate;
    if (text.endsWith("\n")) return candidate;
    const lastLine = text.lastIndexOf("\n");
    if (lastLine >= 0 && text.slice(0, lastLine).trim() !== "") return cutAt(candidate, lastLine);
    let end = text.length;
    while (end > 0 && isWordCode(text.charCodeAt(end - 1))) end--;
    if (end === text.length) return candidate;
    while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
    return unlessBlank(cutAt(candidate, end), "empty");
  },
};
