import { execFile } from "node:child_process";

/** Runs a program and returns what it printed; `null` when it is missing, fails or takes too long. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | null>;

const PROGRAM_MS = 10_000;

/** The real one. */
export function runProgram(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: PROGRAM_MS, maxBuffer: 4 * 1024 * 1024, windowsHide: true };
    execFile(program, [...args], options, (error, stdout) => {
      resolve(error === null ? stdout : null);
    });
  });
}
