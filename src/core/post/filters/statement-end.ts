import type { PostFilter } from "../filter.ts";
import { cutAt } from "../filter.ts";

/** Of several lines that a limit cut, whole statements are kept, where a parser finds one. */
export const statementEnd: PostFilter = {
  name: "statement-end",
  origin: "all",
  apply(candidate, context) {
    const { text, endIsCut } = candidate;
    if (!endIsCut || !context.multiline || !text.includes("\n")) return candidate;
    const end = context.syntax?.lastStatementEnd(candidate) ?? null;
    return end === null || text.slice(0, end).trim() === "" ? candidate : cutAt(candidate, end);
  },
};
