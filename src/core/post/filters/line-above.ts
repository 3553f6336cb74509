import type { PostFilter } from "../filter.ts";
import { hasWord } from "../lines.ts";

/**
 * Repeating the lines just above, word for word and nothing else, is not a proposal. On a line that
 * a person has begun, the same line may be meant.
 */
export const lineAbove: PostFilter = {
  name: "line-above",
  origin: "all",
  apply(candidate, context) {
    if (!context.headIsBlank) return candidate;
    const lines = candidate.text.split("\n").map((line) => line.trim());
    const own = lines.filter((line) => line !== "");
    if (!own.some(hasWord)) return candidate;
    let end = context.lineStart - 1;
    for (let i = own.length - 1; i >= 0; ) {
      if (end < 0) return candidate;
      const start = end === 0 ? 0 : context.prefix.lastIndexOf("\n", end - 1) + 1;
      const above = context.prefix.slice(start, end).trim();
      end = start - 1;
      if (above === "") continue;
      if (above !== own[i]) return candidate;
      i--;
    }
    return { reason: "duplicate" };
  },
};
