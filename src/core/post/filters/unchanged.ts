import type { PostFilter } from "../filter.ts";

/**
 * What would leave the document as it is: a model wrote the rest of the line again and more, and the
 * other filters took away the more.
 */
export const unchanged: PostFilter = {
  name: "unchanged",
  origin: "all",
  apply(candidate, { head, tail }) {
    const { text, replaceBefore, replaceAfter } = candidate;
    const replaced = head.slice(head.length - replaceBefore) + tail.slice(0, replaceAfter);
    return text === replaced && text !== "" ? { reason: "duplicate" } : candidate;
  },
};
