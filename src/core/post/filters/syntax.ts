import type { PostFilter } from "../filter.ts";

/** A text that breaks what parses, however one would go on, is dropped. Needs a parser. */
export const syntax: PostFilter = {
  name: "syntax",
  origin: "all",
  apply(candidate, context) {
    return context.syntax?.breaks(candidate) ? { reason: "syntax" } : candidate;
  },
};
