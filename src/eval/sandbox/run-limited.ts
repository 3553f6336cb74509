/** Runs one command line and ends it when it takes too long, prints too much or eats too much. */
import { spawn } from "node:child_process";
import type { SandboxLimits } from "./limits.ts";
import { treeBytes } from "./process-tree.ts";

/** How a program in the sandbox ended. */
export type SandboxResult =
  /** By itself; a shell's code above 128 means a signal. */
  | { readonly kind: "ended"; readonly exitCode: number; readonly output: string }
  /** By a limit that we watch over; the kernel's limits end in a code or a signal of its own. */
  | {
      readonly kind: "stopped";
      readonly limit: "time" | "output" | "memory";
      readonly output: string;
    };

const MEMORY_EVERY_MS = 200;

export interface LimitedRun {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: Pick<SandboxLimits, "wallMs" | "outputBytes" | "memoryBytes">;
  readonly signal: AbortSignal;
}

/**
 * Resolves when the command and everything that holds its output has ended. `output` is standard
 * output and error as they came, at most `outputBytes`. Rejects when it cannot be started, and with
 * the reason of `signal`.
 */
export function runLimited(run: LimitedRun): Promise<SandboxResult> {
  const { limits, signal } = run;
  const [program = "", ...rest] = run.command;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(program, rest, {
      cwd: run.folder,
      env: { ...run.environment },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that all of it can be ended.
      detached: true,
    });
    const chunks: Buffer[] = [];
    let room = limits.outputBytes;
    let stopped: "time" | "output" | "memory" | null = null;
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It is gone already.
      }
    };
    const stop = (limit: "time" | "output" | "memory"): void => {
      stopped ??= limit;
      kill();
    };
    const take = (chunk: Buffer): void => {
      if (room > 0) chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (room < 0) stop("output");
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const timer = setTimeout(() => stop("time"), limits.wallMs);
    const watch = setInterval(() => {
      if (child.pid === undefined) return;
      // Reads of `/proc` that fail count nothing; this never rejects.
      void treeBytes(child.pid).then((bytes) => {
        if (bytes > limits.memoryBytes) stop("memory");
      });
    }, MEMORY_EVERY_MS);
    signal.addEventListener("abort", kill, { once: true });
    const leave = (): void => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", kill);
    };
    child.on("error", (error) => {
      leave();
      reject(error);
    });
    child.on("close", (code) => {
      leave();
      // Whoever closed its output and went on is ended with its group.
      kill();
      if (signal.aborted) return reject(signal.reason);
      const output = Buffer.concat(chunks).toString("utf8");
      if (stopped !== null) return resolve({ kind: "stopped", limit: stopped, output });
      resolve({ kind: "ended", exitCode: code ?? 255, output });
    });
  });
}
