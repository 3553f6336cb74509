import { isWordCode } from "../../../base/text.ts";
import type { PostFilter } from "../filter.ts";

/**
 * At a cursor inside a word, a text that starts with the part right of the cursor rewrites the line.
 * What stands there cannot be taken away, so there is nothing to propose.
 */
export const restOfWord: PostFilter = {
  name: "rest-of-word",
  origin: "all",
  apply(candidate, context) {
    const { head, tail } = context;
    if (candidate.replaceAfter > 0 || !isWordCode(head.charCodeAt(head.length - 1)))
      return candidate;
    let end = 0;
    while (end < tail.length && isWordCode(tail.charCodeAt(end))) end++;
    const isRewrite = end > 0 && candidate.text.startsWith(tail.slice(0, end));
    return isRewrite ? { reason: "duplicate" } : candidate;
  },
};
