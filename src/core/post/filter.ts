/** The shape of a filter, and what it may look at. */
import type { NoCompletionReason } from "../types.ts";
import type { PostContext } from "./context.ts";

/** A text on its way through the filters. Line ends are `\n` between the first and the last filter. */
export interface Candidate {
  readonly text: string;
  /** Blanks left of the cursor that go, in UTF-16 units. */
  readonly replaceBefore: number;
  /** Units right of the cursor that `text` holds again. */
  readonly replaceAfter: number;
  /** True while the text ends where a limit cut it, not where the model or a rule ended it. */
  readonly endIsCut: boolean;
}

/** Why a text is not shown. */
export interface Rejection {
  readonly reason: NoCompletionReason;
}

/** One rule. It returns the candidate itself when it does not apply. Never throws. */
export interface PostFilter {
  readonly name: string;
  /** `model`: it mends what language models leak, and does not run over text from the files. */
  readonly origin: "model" | "all";
  apply(candidate: Candidate, context: PostContext): Candidate | Rejection;
}

/** Tells the two results of a filter apart. */
export function isRejection(result: Candidate | Rejection): result is Rejection {
  return "reason" in result;
}

/** The candidate with its text cut at `end`. */
export function cutAt(candidate: Candidate, end: number): Candidate {
  if (end >= candidate.text.length) return candidate;
  return { ...candidate, text: candidate.text.slice(0, end), endIsCut: false };
}

/** The candidate without the first `start` units. */
export function dropStart(candidate: Candidate, start: number): Candidate {
  return start <= 0 ? candidate : { ...candidate, text: candidate.text.slice(start) };
}

/** The candidate, or the rejection when only white space is left of it. */
export function unlessBlank(
  candidate: Candidate,
  reason: NoCompletionReason,
): Candidate | Rejection {
  return candidate.text.trim() === "" ? { reason } : candidate;
}
