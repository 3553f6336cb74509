import {
  type AnswerRing,
  type CursorEdit,
  type CursorView,
  recall,
  remainingEdit,
  remember,
} from "../../../core/index.ts";
import type { AutocompleteReply } from "../../../protocol/autocomplete.ts";

/** An answer with all its texts, and the view of the document for which it was made. */
export interface HeldAnswer {
  readonly reply: AutocompleteReply;
  readonly edits: readonly CursorEdit[];
  readonly view: CursorView;
}

/** Answers of one document that later key presses may continue. */
export type HeldAnswers = AnswerRing<HeldAnswer>;

/** `held` and one more answer; each of its texts can be typed along, the first one comes first. */
export function hold(held: HeldAnswers, answer: HeldAnswer): HeldAnswers {
  return answer.edits.reduceRight(
    (ring, edit) => remember(ring, { view: answer.view, edit, answer }),
    held,
  );
}

/** What is left of the newest answer that still fits, best text first; `null` when none does. */
export function stillFitting(
  held: HeldAnswers,
  now: CursorView,
): { readonly reply: AutocompleteReply; readonly edits: readonly CursorEdit[] } | null {
  const found = recall(held, now);
  if (found === null) return null;
  const { reply, edits, view } = found.answer;
  const others = edits.map((edit) => remainingEdit(view, edit, now));
  return { reply, edits: distinct([found.edit, ...others.filter((edit) => edit !== null)]) };
}

/** Edits with the same text are one. */
export function distinct(edits: readonly CursorEdit[]): readonly CursorEdit[] {
  return edits.filter((edit, i) => edits.findIndex((one) => one.text === edit.text) === i);
}
