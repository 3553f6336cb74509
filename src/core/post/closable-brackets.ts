/** How many of the open brackets a text may close, given what the rest of the document closes. */
import { withoutLineEnd } from "../../base/text.ts";
import type { OpenBracket } from "../ports.ts";
import { indentWidthAt } from "../scope/indentation.ts";
import { structureOf } from "../scope/text-structure.ts";
import type { PostContext } from "./context.ts";
import type { Candidate } from "./filter.ts";

/** As much of the suffix as is read. */
const MAX_SUFFIX = 6_000;

interface Closer {
  readonly bracket: string;
  /** Indentation width when it starts its line; `null` inside one, where it says nothing. */
  readonly indentWidth: number | null;
}

/**
 * Number of brackets, innermost first, that no closer right of the cursor belongs to. All of them
 * where the document does not tell: a text is then not judged.
 */
export function closableBrackets(context: PostContext, candidate: Candidate): number {
  const open = context.scope.openBrackets;
  const closers = closersAfter(context, candidate);
  const rest = open.length - closers.length;
  if (rest >= 0 && fits(open, closers, rest, true)) return rest;
  // The counts do not agree: the window hides outer brackets, or a person has left some open.
  for (let closable = 0; closable < open.length; closable++) {
    if (fits(open, closers, closable, true)) return closable;
  }
  const isJudged = rest >= 0 && !context.startsInsideBlock && fits(open, closers, rest, false);
  return isJudged ? rest : open.length;
}

/** Whether the closers fit the open brackets when the innermost `closable` are closed before. */
function fits(
  open: readonly OpenBracket[],
  closers: readonly Closer[],
  closable: number,
  byIndentation: boolean,
): boolean {
  for (let i = 0; i < closers.length; i++) {
    const bracket = open[open.length - 1 - closable - i];
    const closer = closers[i];
    if (bracket === undefined || closer === undefined) break;
    if (bracket.close !== closer.bracket) return false;
    const isElsewhere = closer.indentWidth !== null && closer.indentWidth !== bracket.indentWidth;
    if (byIndentation && isElsewhere) return false;
  }
  return true;
}

/** Closers right of the cursor whose openers stand left of it, nearest first. */
function closersAfter(context: PostContext, candidate: Candidate): readonly Closer[] {
  const { text, replaceAfter } = candidate;
  // The text may have ended the comment or the string that the cursor is in.
  const { region, delimiter } = context.structureOf(text).end;
  const suffix = withoutLineEnd(context.suffix.slice(replaceAfter, replaceAfter + MAX_SUFFIX));
  const { brackets } = structureOf(suffix, {
    scope: { ...context.scope, region, delimiter },
    languageId: context.languageId,
    head: context.head,
    before: context.prefix.length,
  });
  const closers: Closer[] = [];
  for (const event of brackets) {
    if (event.opens || (event.partner !== null && event.partner >= 0)) continue;
    if (context.language.loneClosers.includes(event.bracket)) continue;
    const lineStart = suffix.lastIndexOf("\n", event.offset) + 1;
    const startsLine = lineStart > 0 && suffix.slice(lineStart, event.offset).trim() === "";
    closers.push({
      bracket: event.bracket,
      indentWidth: startsLine ? indentWidthAt(suffix, lineStart) : null,
    });
  }
  return closers;
}
