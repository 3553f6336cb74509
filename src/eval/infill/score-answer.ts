/** How close an answer is to what was in the hole. Blanks at both ends count nowhere. */
import { editSimilarity } from "../../stats/text-match.ts";
import type { InfillTask } from "./infill-task.ts";

/** In reports and stamps. */
export const scoringRule =
  "pass: the tests pass, and a reply of blanks never does; exact: the whole reply is the missing text, blanks at both ends aside; first line: the first line of the reply that is not blank is, single lines only; similarity: 1 - Levenshtein distance / longer text";

export interface AnswerScore {
  /** By the whole reply. */
  readonly exact: boolean;
  /** By its first line that is not blank; `null` where more than a line is asked for. */
  readonly exactFirstLine: boolean | null;
  /** 0..1, of the whole reply. */
  readonly similarity: number;
}

export function scoreAnswer(
  task: Pick<InfillTask, "target" | "isSingleLine">,
  answer: string,
): AnswerScore {
  const target = task.target.trim();
  const reply = answer.trim();
  const [firstLine = ""] = reply.split("\n");
  return {
    exact: reply === target,
    exactFirstLine: task.isSingleLine ? firstLine.trim() === target : null,
    similarity: editSimilarity(reply, target),
  };
}
