/**
 * Which solutions of a data file pass their own tests here. A hole in one that does not would be a
 * question without a right answer. What was found is kept, since compilers take seconds each.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { runEach } from "../run/run-each.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { DataFile } from "./data-file.ts";
import { programOf } from "./infill-task.ts";
import { tryProgram } from "./infill-trial.ts";
import type { Solution } from "./solution.ts";
import type { Toolchain } from "./toolchain.ts";

export interface VerifyOptions {
  readonly file: DataFile;
  readonly toolchain: Toolchain;
  readonly sandbox: Sandbox;
  readonly cacheFolder: string;
  readonly parallel: number;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Ids of those among `solutions` that pass. Tries only those that were never tried. Throws
 * `EvaluationUnavailableError` when the compiler has gone away.
 */
export async function verifiedSolutions(
  solutions: readonly Solution[],
  options: VerifyOptions,
): Promise<ReadonlySet<string>> {
  const { file, toolchain, sandbox, cacheFolder, parallel, onProgress, signal } = options;
  const path = join(cacheFolder, `verified-${keyOf(file, toolchain)}.json`);
  const known = await readKnown(path);
  const untried = solutions.filter(({ id }) => !known.has(id));
  if (untried.length === 0) return passesAmong(known);
  let done = 0;
  try {
    await runEach(untried, { parallel, signal }, async (solution) => {
      const { prompt, body, tests } = solution;
      const program = programOf(tests, prompt + body);
      const trial = await tryProgram(program, { sandbox, toolchain, signal });
      // To keep that would take the task out for ever.
      if (trial.isUnknown)
        throw new EvaluationUnavailableError(`${toolchain.version}: ${trial.says}`);
      known.set(solution.id, trial.outcome === "passed");
      onProgress(++done, untried.length);
    });
  } finally {
    await mkdir(cacheFolder, { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, JSON.stringify(Object.fromEntries(known)));
    await rename(unfinished, path);
  }
  return passesAmong(known);
}

function passesAmong(known: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  return new Set([...known].flatMap(([id, isPassed]) => (isPassed ? [id] : [])));
}

/** What a result depends on: the data, the compiler, and how we call it. */
function keyOf({ sha256 }: DataFile, { id, version, command, others }: Toolchain): string {
  const text = JSON.stringify([sha256, version, command, others]);
  return `${id}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

async function readKnown(path: string): Promise<Map<string, boolean>> {
  const text = await readFile(path, "utf8").catch(() => "{}");
  const value: unknown = JSON.parse(text);
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([id, isPassed]) => [id, isPassed === true]));
}
