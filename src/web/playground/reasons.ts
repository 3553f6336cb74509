import type { NoCompletionReason } from "../../core/index.ts";

/** A sentence for a person for each reason why nothing is shown. */
export const reasonSentences: Readonly<Record<NoCompletionReason, string>> = {
  disabled: "Completion is switched off for this language.",
  excluded: "This file is on the deny list or outside the workspace, so no model gets to see it.",
  policy: "A suggestion is unlikely to help at this place, so no model was asked.",
  stale: "The server has already seen a newer version of this document.",
  superseded: "A newer key press took the place of this one.",
  cancelled: "The request was withdrawn before there was an answer.",
  empty: "No model had anything to propose here.",
  duplicate: "The proposal only repeats what already stands next to the cursor.",
  repetition: "The proposal goes round in circles.",
  unbalanced: "The proposal would leave a bracket without its partner.",
  syntax: "The proposal would break the syntax.",
  secret: "The proposal looks like a password or a key.",
  "invisible-character": "The proposal holds characters that nobody can see.",
  "below-threshold": "The best text is too likely to be wrong.",
  "no-model": "No model could answer: none is on, or the one that was asked failed.",
  deadline: "The time limit passed before an answer was ready.",
};

/** The sentence for a reason from the wire; a word that this page does not know is shown as it is. */
export function sentenceFor(reason: string): string {
  return isReason(reason) ? reasonSentences[reason] : `Nothing to show: ${reason}.`;
}

function isReason(reason: string): reason is NoCompletionReason {
  return Object.hasOwn(reasonSentences, reason);
}
