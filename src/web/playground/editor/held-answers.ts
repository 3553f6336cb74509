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

/** An edit at the cursor, and the text of the answer of which it is the rest. */
export interface FittingEdit {
  readonly edit: CursorEdit;
  readonly whole: string;
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
): { readonly reply: AutocompleteReply; readonly fits: readonly FittingEdit[] } | null {
  const found = recall(held, now);
  if (found === null) return null;
  const { reply, edits, view } = found.answer;
  const fits = edits.flatMap((edit) => {
    const rest = remainingEdit(view, edit, now);
    return rest === null ? [] : [{ edit: rest, whole: edit.text }];
  });
  const isFirst = ({ edit }: FittingEdit): boolean => edit.text === found.edit.text;
  return {
    reply,
    fits: distinct([...fits.filter(isFirst), ...fits.filter((one) => !isFirst(one))]),
  };
}

/** Edits with the same text are one. */
export function distinct(fits: readonly FittingEdit[]): readonly FittingEdit[] {
  return fits.filter(({ edit }, i) => fits.findIndex((one) => one.edit.text === edit.text) === i);
}
