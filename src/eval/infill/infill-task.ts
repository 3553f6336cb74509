/** One question of a benchmark: a program with a hole, what was in it, and how an answer is tried. */
import type { ToolchainId } from "./toolchain.ts";

export interface InfillTask {
  /** Unique within its set. */
  readonly id: string;
  /** Such as `humaneval-infilling/single-line`. */
  readonly set: string;
  /** Language id of the editor protocol. */
  readonly languageId: string;
  /** What the model sees. */
  readonly prefix: string;
  readonly suffix: string;
  /** What was in the hole. */
  readonly target: string;
  /** One line is asked for; whatever comes after it is too much. */
  readonly isSingleLine: boolean;
  /** `target` is a line without the line ends around it, and prefix and suffix lack them too. */
  readonly isWholeLine: boolean;
  /** How the program is tried; `null` where answers are only compared. */
  readonly tests: InfillTests | null;
}

/** `head + prefix + answer + suffix + tail` is the whole program. */
export interface InfillTests {
  readonly toolchain: ToolchainId;
  /** Code before the text that the model sees, such as imports that the tests need. */
  readonly head: string;
  /** The tests themselves. */
  readonly tail: string;
  /** Lines of what the model sees that are left out of the program: packages that are not there. */
  readonly without: RegExp | null;
}

/** The program with `answer` in the hole; `null` where there are no tests. */
export function programWith(task: InfillTask, answer: string): string | null {
  if (task.tests === null) return null;
  const { head, tail, without } = task.tests;
  const code = task.prefix + answer + task.suffix;
  return head + (without === null ? code : code.replace(without, "")) + tail;
}
