import { closableBrackets } from "../closable-brackets.ts";
import type { PostFilter } from "../filter.ts";
import { cutAt, unlessBlank } from "../filter.ts";

/**
 * Closers that would close more than is open are cut, with what follows them. A text may close a
 * block and open another (`} else {`): only the end of the text counts.
 */
export const extraClosers: PostFilter = {
  name: "extra-closers",
  origin: "all",
  apply(candidate, context) {
    const { language, scope } = context;
    if (language.nature !== "code" && language.nature !== "data") return candidate;
    const { brackets } = context.structureOf(candidate.text);
    // A text that closes only what it opens closes nothing of the document's.
    const isWithin = (event: (typeof brackets)[number]): boolean =>
      event.opens || (event.partner !== null && event.depth >= scope.openBrackets.length);
    if (brackets.every(isWithin)) return candidate;
    const floor = scope.openBrackets.length - closableBrackets(context, candidate);
    let end = -1;
    for (const event of brackets) {
      if (event.opens) {
        if (event.depth >= floor) end = -1;
      } else if (event.partner === null) {
        if (language.loneClosers.includes(event.bracket)) continue;
        // With nothing open in the window, the bracket may have been opened above it.
        if (event.depth === 0 && context.startsInsideBlock) continue;
        end = end < 0 ? event.offset : end;
        break;
      } else if (event.depth < floor && end < 0) end = event.offset;
    }
    if (end < 0) return candidate;
    const kept = cutAt(candidate, end);
    // What is replaced right of the cursor must come back.
    if (!context.isHeldBy(kept.text.trimEnd(), candidate.replaceAfter)) return candidate;
    return unlessBlank(cutAt(kept, kept.text.trimEnd().length), "unbalanced");
  },
};
