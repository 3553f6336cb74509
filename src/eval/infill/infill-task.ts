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

/** What stands around the code that the model sees. */
export interface InfillTests {
  readonly toolchain: ToolchainId;
  /** Code before the text that the model sees, such as imports that the tests need. */
  readonly head: string;
  /** The tests themselves. */
  readonly tail: string;
  /** Lines of what the model sees that are left out of the program: packages that are not there. */
  readonly without: RegExp | null;
}

/** The whole program; `code` is what the model saw with something in the hole. */
export function programOf({ head, tail, without }: InfillTests, code: string): string {
  return head + (without === null ? code : code.replace(without, "")) + tail;
}
