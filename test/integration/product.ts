/** Runs the built program as a person would, each time with a state folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepProcess } from "../kept-process.ts";

export const root: string = join(import.meta.dirname, "..", "..");
export const program: string = join(root, "dist", "cli", "main.js");

/** What a finished program left behind. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is removed by `dispose`. */
export interface TemporaryFolder {
  readonly path: string;
  readonly dispose: () => void;
}

export function temporaryFolder(name: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `midspan-${name}-`));
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Environment without the settings of the person who runs the tests; model servers that happen to run
 * on the machine are not looked for.
 */
export function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("MIDSPAN_"));
  return {
    ...Object.fromEntries(own),
    MIDSPAN_HOME: home,
    MIDSPAN_BACKEND: "none",
    NO_COLOR: "1",
  };
}

/** Runs to the end. Kills the program after two minutes, so that a test never hangs. */
export function runToEnd(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Finished> {
  const child = spawn(command, args, { cwd: options.cwd, env: options.env });
  const killer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(killer);
      resolve({ code, stdout, stderr });
    });
  });
}

/** A server that was started and said its address. */
export interface RunningServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** All it printed so far. */
  readonly output: () => string;
  /** Resolves with the exit code after `signal`. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts a program that serves and waits until its output matches `pattern` (group 1 = address). */
export function startServer(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly pattern?: RegExp },
): Promise<RunningServer> {
  const pattern = options.pattern ?? /(http:\/\/127\.0\.0\.1:\d+)/;
  const child = spawn(command, args, { cwd: options.cwd, env: options.env });
  keepProcess(child);
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return new Promise((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      const match = pattern.exec(output);
      if (match === null) return;
      resolve({
        url: match[1] ?? "",
        child,
        output: () => output,
        stop: (signal = "SIGTERM") => {
          child.kill(signal);
          return ended;
        },
      });
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.on("error", reject);
    void ended.then((code) => reject(new Error(`ended with ${code} before it served:\n${output}`)));
  });
}
