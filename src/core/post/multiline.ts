/** Whether a completion may have several lines at a cursor. */

import { languageOf } from "../language.ts";
import type { ScopeProbe } from "../ports.ts";
import type { MultilineMode, TriggerKind } from "../types.ts";
import { isClosersOnly, opensBlock, startsWithWord } from "./lines.ts";

/** A cursor and what was asked there. */
export interface MultilineQuestion {
  readonly mode: MultilineMode;
  readonly trigger: TriggerKind;
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
  readonly scopes: ScopeProbe;
}

/**
 * `never` and `always` decide by themselves. With `auto`, a person who invokes gets several lines
 * anywhere; automatically there are several only where the rest of the line is empty or closers and
 * a block opens, goes on or ends, otherwise one.
 */
export function decideMultiline(question: MultilineQuestion): boolean {
  const { mode, trigger, prefix, suffix, languageId } = question;
  if (mode !== "auto") return mode === "always";
  if (trigger === "invoked") return true;
  const lineEnd = suffix.indexOf("\n");
  if (!isEmptyOrClosers(lineEnd < 0 ? suffix : suffix.slice(0, lineEnd))) return false;

  const language = languageOf(languageId);
  const scope = question.scopes.at(prefix, languageId);
  if (scope.region !== "code") return false;
  const lineStart = prefix.lastIndexOf("\n") + 1;
  const head = prefix.slice(lineStart);
  const innermost = scope.openBrackets[scope.openBrackets.length - 1];
  if (head.trim() !== "") {
    const ends = isClosersOnly(head.trim()) || startsWithWord(head.trim(), language.blockEnds);
    return ends || innermost?.offset === prefix.trimEnd().length - 1 || opensBlock(head, language);
  }
  // On an empty line: the block that is open goes on.
  const above = prefix.slice(0, lineStart).trimEnd();
  const goesOn = innermost?.opensBlock === true || /[ \t]/.test(head.charAt(0));
  return goesOn || opensBlock(above.slice(above.lastIndexOf("\n") + 1), language);
}

/** True for nothing, or closing brackets and quotes with at most one mark after them: `"));`. */
export function isEmptyOrClosers(tail: string): boolean {
  let i = 0;
  while (i < tail.length && ")]}\"'` \t\r".includes(tail.charAt(i))) i++;
  if (i < tail.length && ":{;,".includes(tail.charAt(i))) i++;
  return tail.slice(i).trim() === "";
}
