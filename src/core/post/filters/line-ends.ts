import type { PostFilter } from "../filter.ts";

/** Line ends become `\n` for the filters that follow; a carriage return at the very end goes. */
export const unifyLineEnds: PostFilter = {
  name: "unify-line-ends",
  origin: "all",
  apply(candidate) {
    if (!candidate.text.includes("\r")) return candidate;
    const text = candidate.text.replace(/\r\n/g, "\n").replace(/\r$/, "").replace(/\r/g, "\n");
    return { ...candidate, text };
  },
};

/** Line ends become those of the document near the cursor. The last filter. */
export const documentLineEnds: PostFilter = {
  name: "document-line-ends",
  origin: "all",
  apply(candidate, context) {
    if (context.lineEnd === "\n" || !candidate.text.includes("\n")) return candidate;
    return { ...candidate, text: candidate.text.replace(/\n/g, context.lineEnd) };
  },
};
