/** How the program of one task is run, whatever its language. */
import { execFile } from "node:child_process";
import type { SandboxLimits } from "../sandbox/limits.ts";

/** What a task names. */
export type ToolchainId = "python" | "javascript" | "typescript" | "java" | "go" | "rust" | "cpp";

/** How programs of one language are run. */
export interface Toolchain {
  readonly id: ToolchainId;
  /** As it says itself, one line. */
  readonly version: string;
  /** Path of the program's file in the scratch folder. */
  readonly file: string;
  /** Files beside it. */
  readonly others: Readonly<Record<string, string>>;
  /** Ends with 0 if and only if the program passes. */
  readonly command: readonly string[];
  /** Folders that it needs besides the system's own. */
  readonly visible: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: Partial<SandboxLimits>;
}

/** A toolchain, or in words what is not there. */
export type FoundToolchain =
  | { readonly kind: "found"; readonly toolchain: Toolchain }
  | { readonly kind: "missing"; readonly reason: string };

/** What a program prints on standard output, or where it prints nothing there on the other. */
export function toolOutput(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = {
      timeout: 600_000,
      maxBuffer: 16 << 20,
      env: { ...process.env, ...environment },
    };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      resolve(error === null ? (stdout.trim() === "" ? stderr : stdout).trim() : null);
    });
  });
}
