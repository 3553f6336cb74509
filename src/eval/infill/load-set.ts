/** From the name of a set to the tasks that are asked: data, toolchain, verified solutions, sample. */
import { createRandom } from "../../stats/random.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type DataSource, dataFile, readRows } from "./data-file.ts";
import { findToolchain } from "./find-toolchain.ts";
import type { InfillSet } from "./infill-sets.ts";
import type { InfillTask } from "./infill-task.ts";
import { type Solution, tasksOf } from "./solution.ts";
import type { Toolchain, ToolchainId } from "./toolchain.ts";
import { verifiedSolutions } from "./verified-solutions.ts";

/** A set that can be asked, or why not. */
export type LoadedSet =
  | {
      readonly kind: "ready";
      readonly name: string;
      readonly tasks: readonly InfillTask[];
      /** Solutions of the data, and those that pass their own tests; `null` where that is not asked. */
      readonly solutions: { readonly all: number; readonly passing: number } | null;
      /** `null` where answers are only compared. */
      readonly toolchain: Toolchain | null;
    }
  | { readonly kind: "missing"; readonly name: string; readonly reason: string };

export interface LoadOptions {
  readonly source: DataSource;
  readonly sandbox: Sandbox;
  /** At most so many tasks; `null` for all. */
  readonly limit: number | null;
  /** Of the sample. */
  readonly seed: number;
  readonly parallel: number;
  readonly onProgress: (done: number, total: number, note: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Loads sets, in order. A toolchain is looked for once. Throws `EvaluationUnavailableError` for data
 * that is not there or not what it should be.
 */
export async function loadSets(
  sets: readonly InfillSet[],
  options: LoadOptions,
): Promise<readonly LoadedSet[]> {
  const found = new Map<ToolchainId, Awaited<ReturnType<typeof findToolchain>>>();
  const loaded: LoadedSet[] = [];
  for (const set of sets) {
    const { cacheFolder } = options.source;
    const known = found.get(set.toolchain) ?? (await findToolchain(set.toolchain, { cacheFolder }));
    found.set(set.toolchain, known);
    loaded.push(
      known.kind === "missing"
        ? { kind: "missing", name: set.name, reason: known.reason }
        : await loadSet(set, known.toolchain, options),
    );
  }
  return loaded;
}

/** The same tasks for the same seed; a larger limit adds tasks and keeps those of a smaller one. */
export function sampleTasks(
  tasks: readonly InfillTask[],
  { limit, seed }: Pick<LoadOptions, "limit" | "seed">,
): readonly InfillTask[] {
  if (limit === null || limit >= tasks.length) return tasks;
  return createRandom(seed).shuffled(tasks).slice(0, limit);
}

async function loadSet(
  set: InfillSet,
  toolchain: Toolchain,
  options: LoadOptions,
): Promise<LoadedSet> {
  const { name, content } = set;
  const file = dataFile(set.file);
  const rows = await readRows(file, options.source);
  if (content.kind === "tasks") {
    // A hole of blanks (51 of the random spans) has no right answer that could be told from none.
    const tasks = rows.map(content.read).filter(({ target }) => target.trim() !== "");
    const sample = sampleTasks(tasks, options);
    return {
      kind: "ready",
      name,
      tasks: sample,
      solutions: null,
      toolchain,
    };
  }
  const all = rows.map(content.read).filter((solution) => solution !== null);
  const passing = await passingAmong(all, { set, toolchain, options });
  const about = { set: name, languageId: set.languageId, spans: content.spans };
  const tasks = tasksOf(passing, about);
  return {
    kind: "ready",
    name,
    tasks: sampleTasks(tasks, options),
    solutions: { all: all.length, passing: passing.length },
    toolchain,
  };
}

async function passingAmong(
  all: readonly Solution[],
  about: {
    readonly set: InfillSet;
    readonly toolchain: Toolchain;
    readonly options: LoadOptions;
  },
): Promise<readonly Solution[]> {
  const { set, toolchain, options } = about;
  const { source, sandbox, parallel, signal } = options;
  return verifiedSolutions(all, {
    ...{ toolchain, sandbox, parallel, signal },
    cacheFolder: source.cacheFolder,
    onProgress: (done, total) => options.onProgress(done, total, `${set.name}: own solutions`),
  });
}
