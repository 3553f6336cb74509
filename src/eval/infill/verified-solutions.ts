/**
 * Which solutions pass their own tests here. A hole in one that does not would be a
 * question without a right answer. What was found is kept, since compilers take seconds each.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { runEach } from "../run/run-each.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { programOf } from "./infill-task.ts";
import { tryProgram } from "./infill-trial.ts";
import type { Solution } from "./solution.ts";
import type { Toolchain } from "./toolchain.ts";

export interface VerifyOptions {
  readonly toolchain: Toolchain;
  readonly sandbox: Sandbox;
  readonly cacheFolder: string;
  readonly parallel: number;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Those among `solutions` that pass. Tries only programs that were never tried to their end. Throws
 * `EvaluationUnavailableError` when the compiler has gone away.
 */
export async function verifiedSolutions(
  solutions: readonly Solution[],
  options: VerifyOptions,
): Promise<readonly Solution[]> {
  const { toolchain, sandbox, cacheFolder, parallel, onProgress, signal } = options;
  const path = join(cacheFolder, `verified-${keyOf(toolchain)}.json`);
  const known = await readKnown(path);
  const programs = new Map(
    solutions.map((solution) => {
      const { prompt, body, tests } = solution;
      return [solution, programOf(tests, prompt + body)];
    }),
  );
  const untried = [...programs.values()].filter((program) => !known.has(digestOf(program)));
  let done = 0;
  try {
    await runEach(untried, { parallel, signal }, async (program) => {
      const { outcome, says, isUnknown } = await tryProgram(program, {
        ...{ sandbox, toolchain, signal },
      });
      // To keep that would take the task out for ever; so would a busy machine's time limit.
      if (isUnknown) throw new EvaluationUnavailableError(`${toolchain.version}: ${says}`);
      if (outcome !== "hung") known.set(digestOf(program), outcome === "passed");
      onProgress(++done, untried.length);
    });
  } finally {
    if (done > 0) await writeKnown(path, known);
  }
  return solutions.filter((solution) => {
    const program = programs.get(solution);
    return program !== undefined && known.get(digestOf(program)) === true;
  });
}

/** What a result depends on besides the program: the compiler, and how we call it. */
function keyOf({ id, version, command, others }: Toolchain): string {
  return `${id}-${digestOf(JSON.stringify([version, command, others]))}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

async function readKnown(path: string): Promise<Map<string, boolean>> {
  const text = await readFile(path, "utf8").catch(() => "{}");
  const value = jsonOf(text);
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([digest, isPassed]) => [digest, isPassed === true]));
}

/** What a crash left damaged counts as nothing: the programs are tried again. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeKnown(path: string, known: ReadonlyMap<string, boolean>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(Object.fromEntries(known)));
  await rename(unfinished, path);
}
