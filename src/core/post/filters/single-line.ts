import type { PostFilter } from "../filter.ts";
import { cutAt, unlessBlank } from "../filter.ts";
import { lineEndFrom } from "../lines.ts";

/** In single-line mode only the first line is proposed. */
export const singleLine: PostFilter = {
  name: "single-line",
  origin: "all",
  apply(candidate, context) {
    if (context.multiline) return candidate;
    const end = lineEndFrom(candidate.text, 0);
    return end === candidate.text.length ? candidate : unlessBlank(cutAt(candidate, end), "empty");
  },
};
