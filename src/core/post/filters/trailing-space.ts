import type { PostFilter } from "../filter.ts";
import { cutAt } from "../filter.ts";

/**
 * Line breaks at the end go: the document has its own. One stays where closers follow the cursor
 * and the text opened lines of its own: `f({` … `})`. Blanks at the end go where nothing follows.
 */
export const trailingSpace: PostFilter = {
  name: "trailing-space",
  origin: "all",
  apply(candidate, context) {
    const { text } = candidate;
    const trimmed = text.trimEnd().length;
    const tail = context.tail.trimStart();
    if (tail === "") return cutAt(candidate, trimmed);
    const lineBreak = text.indexOf("\n", trimmed);
    if (lineBreak < 0) return candidate;
    const isClosersTurn = ")]}".includes(tail.charAt(0)) && text.slice(0, trimmed).includes("\n");
    return isClosersTurn ? candidate : cutAt(candidate, trimmed);
  },
};
