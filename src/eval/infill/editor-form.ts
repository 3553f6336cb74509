/**
 * A task as an editor has it. Some data takes whole lines away, line end included; in an editor the
 * cursor stands on the empty line that is left, and nobody wants the line end typed for them.
 */
import type { InfillTask } from "./infill-task.ts";

export interface EditorForm {
  readonly prefix: string;
  readonly suffix: string;
  readonly target: string;
  /** The answer in the task's own hole is `before + answer + after`. */
  readonly before: string;
  readonly after: string;
}

export function editorForm(task: InfillTask): EditorForm {
  const { prefix, suffix, target, isWholeLine } = task;
  if (isWholeLine) {
    // Rows that name the line without the line ends around it.
    const before = prefix === "" || prefix.endsWith("\n") ? "" : "\n";
    const after = suffix === "" || suffix.startsWith("\n") ? "" : "\n";
    return { prefix: prefix + before, suffix: after + suffix, target, before, after };
  }
  if (!target.endsWith("\n")) return { prefix, suffix, target, before: "", after: "" };
  return { prefix, suffix: `\n${suffix}`, target: target.slice(0, -1), before: "", after: "\n" };
}
