import type { PostFilter } from "../filter.ts";
import { unlessBlank } from "../filter.ts";

/** White space alone is nothing. */
export const blank: PostFilter = {
  name: "blank",
  origin: "all",
  apply(candidate) {
    return unlessBlank(candidate, "empty");
  },
};
