/** How a command ends: its exit code and the sentence for the person. */
import { CompletionError } from "../core/index.ts";
import { EvaluationUnavailableError } from "../eval/run/evaluation-unavailable.ts";

/** 0 done, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** A command was called in a way that cannot work; the message says what to type instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Writes why a command failed to stderr, in one line, and returns its exit code. */
export function reportFailure(error: unknown, stderr: NodeJS.WritableStream): ExitCode {
  if (error instanceof UsageError) {
    stderr.write(`midspan: ${error.message}\n`);
    return 2;
  }
  if (error instanceof CompletionError) {
    stderr.write(`midspan: ${error.message} [${error.code}]\n`);
    return error.code === "CONFIG_INVALID" ? 2 : 1;
  }
  if (error instanceof EvaluationUnavailableError) {
    stderr.write(`midspan: ${error.message}\n`);
    return 1;
  }
  // Everything else is our fault: the stack is what a report needs.
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`midspan: this is a fault of Midspan, please report it\n${stack}\n`);
  return 1;
}
