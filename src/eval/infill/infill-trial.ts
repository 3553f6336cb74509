/** Tries one program in the sandbox. */
import type { SandboxResult } from "../sandbox/run-limited.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Toolchain } from "./toolchain.ts";

/**
 * How a program ended: `hung` ran into the time limit, `over-limit` printed or ate too much. Neither is
 * a pass, and both are counted apart from `wrong`.
 */
export type TrialOutcome = "passed" | "wrong" | "hung" | "over-limit";

export interface Trial {
  readonly outcome: TrialOutcome;
  /** The last line that it printed, for a person; `""` when it printed nothing. */
  readonly says: string;
  /** The shell did not find a program, or may not run it. */
  readonly isUnknown: boolean;
}

/** Compiles and runs the program. Rejects when it cannot be started, or with the signal's reason. */
export async function tryProgram(
  program: string,
  options: {
    readonly sandbox: Sandbox;
    readonly toolchain: Toolchain;
    readonly signal: AbortSignal;
  },
): Promise<Trial> {
  const { sandbox, toolchain, signal } = options;
  const { file, others, command, visible, environment, limits } = toolchain;
  const files = { ...others, [file]: program };
  const result = await sandbox.run({ files, command, visible, environment, limits, signal });
  // Codes of the shell by POSIX: found but not executable, and not found.
  const isUnknown = result.kind === "ended" && [126, 127].includes(result.exitCode);
  return { outcome: outcomeOf(result), says: lastLine(result.output), isUnknown };
}

function outcomeOf(result: SandboxResult): TrialOutcome {
  if (result.kind === "ended") return result.exitCode === 0 ? "passed" : "wrong";
  return result.limit === "time" ? "hung" : "over-limit";
}

const MAX_LINE = 200;

function lastLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return (lines.at(-1) ?? "").slice(0, MAX_LINE);
}
