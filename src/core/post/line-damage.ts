/**
 * How broken the cursor's line is with a text in it. Two readings of a proposal ("the bracket is
 * there already" or "it is a second one") are compared by it: the less damaging one is right.
 */
import { structureOf } from "../scope/text-structure.ts";
import type { PostContext } from "./context.ts";

/** As much of the rest of the line as matters. */
const MAX_TAIL = 2_000;

/**
 * Number of faults on the line: closers without a partner, closers of brackets that were opened on
 * earlier lines, brackets opened on the line or in the text and left open, strings without an end.
 * `tail` is what follows the text on its last line. Comparable between texts at one cursor only.
 */
export function lineDamage(
  text: string,
  context: PostContext,
  tail: string = context.tail,
): number {
  const { scope } = context;
  const structure = structureOf(`${text}${tail.slice(0, MAX_TAIL)}\n`, {
    scope,
    languageId: context.languageId,
    head: context.head,
    before: context.prefix.length,
  });
  const openedAbove = scope.openBrackets.filter((bracket) => bracket.offset < context.lineStart);
  let keptFromAbove = 0;
  let leftOpen = 0;
  for (const bracket of structure.end.openBrackets) {
    if (bracket.offset < context.lineStart) keptFromAbove++;
    else leftOpen++;
  }
  return (
    structure.unmatched + structure.brokenStrings + leftOpen + (openedAbove.length - keptFromAbove)
  );
}
