import { indentOf } from "../../../base/text.ts";
import { indentWidthAt } from "../../scope/indentation.ts";
import type { PostContext } from "../context.ts";
import type { PostFilter } from "../filter.ts";
import { dropStart } from "../filter.ts";
import { opensBlock } from "../lines.ts";

/**
 * Indentation that already stands before the cursor is not repeated. It stays where both together
 * are what the line above asks for, as on an empty line that is not yet indented enough.
 */
export const firstIndent: PostFilter = {
  name: "first-indent",
  origin: "all",
  apply(candidate, context) {
    return dropStart(candidate, repeatedIndent(candidate.text, context));
  },
};

/** Units at the start of `text` that stand before the cursor already. */
export function repeatedIndent(text: string, context: PostContext): number {
  const { head } = context;
  const own = indentOf(text);
  if (!context.headIsBlank || head === "" || own === "" || text[own.length] === "\n") return 0;
  const expected = expectedIndentWidth(context);
  if (indentWidthAt(head + own) === expected) return 0;
  const isDeeper = own.length > head.length && own.startsWith(head);
  return isDeeper && indentWidthAt(own) === expected ? head.length : own.length;
}

/** Indentation width that the line above asks for. */
export function expectedIndentWidth(context: PostContext): number {
  const above = context.lineAbove;
  const indent = indentOf(above);
  return indentWidthAt(
    opensBlock(above, context.language) ? indent + context.indentUnit.text : indent,
  );
}
