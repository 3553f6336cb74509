/**
 * Right answers that the filters spoil: each target goes through the filters as if a model had written
 * it. A filter that does this is named, since nobody would see it in a score.
 */
import {
  applyEdit,
  type FimFormat,
  lexicalScopeProbe,
  postProcess,
  type ScopeProbe,
  sentinelsToCut,
} from "../../core/index.ts";
import { editorForm } from "./editor-form.ts";
import type { InfillTask } from "./infill-task.ts";

/** One right answer that is none any more, but for blanks at the ends of lines. */
export interface FilterLoss {
  readonly task: string;
  /** The filter that rejected it, or those that changed it. */
  readonly filters: readonly string[];
  /** What was left; `null` for nothing. */
  readonly left: string | null;
}

/** The losses among tasks. */
export function filterLosses(
  tasks: readonly InfillTask[],
  options: { readonly format: FimFormat; readonly scopes?: ScopeProbe },
): readonly FilterLoss[] {
  const { format, scopes = lexicalScopeProbe } = options;
  return tasks.flatMap((task): readonly FilterLoss[] => {
    const form = editorForm(task);
    const result = postProcess({
      raw: form.target,
      finishReason: "stop",
      prefix: form.prefix,
      suffix: form.suffix,
      languageId: task.languageId,
      multiline: !task.isSingleLine,
      stops: sentinelsToCut(format),
      scopes,
      origin: "model",
    });
    const name = `${task.set}:${task.id}`;
    if (result.kind === "rejected") return [{ task: name, filters: [result.filter], left: null }];
    const whole = form.prefix + form.target + form.suffix;
    if (visible(applyEdit(form, result.edit)) === visible(whole)) return [];
    return [{ task: name, filters: result.applied, left: result.edit.text }];
  });
}

function visible(code: string): string {
  return code.replace(/[ \t]+$/gm, "");
}
