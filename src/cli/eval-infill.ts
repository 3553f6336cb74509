/** `midspan eval infill`: what a model writes into the holes of programs, judged by their tests. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isReached } from "../eval/bench-report.ts";
import { filterLosses } from "../eval/infill/filter-losses.ts";
import { figuresOf, type InfillFigures } from "../eval/infill/infill-figures.ts";
import { infillReport } from "../eval/infill/infill-report.ts";
import { type InfillSet, setsNamed } from "../eval/infill/infill-sets.ts";
import type { InfillTask } from "../eval/infill/infill-task.ts";
import { type LoadedSet, loadSets, sampleTasks } from "../eval/infill/load-set.ts";
import { lossReport } from "../eval/infill/loss-report.ts";
import { type InfillRow, readInfillRow, runInfill } from "../eval/infill/run-infill.ts";
import { isSantaCoder, readSantaCoder, santaCoderViews } from "../eval/infill/santacoder-set.ts";
import { scoringRule } from "../eval/infill/score-answer.ts";
import { scriptChecks } from "../eval/infill/script-checks.ts";
import type { Script } from "../eval/infill/scripted-answers.ts";
import { EvaluationUnavailableError } from "../eval/run/evaluation-unavailable.ts";
import { ResultFile } from "../eval/run/result-file.ts";
import { createStamp, type Stamp } from "../eval/run/stamp.ts";
import { openSandbox, type Sandbox } from "../eval/sandbox/sandbox.ts";
import {
  type InfillAsking,
  type InfillModel,
  infillModel,
  scriptedModel,
} from "./eval-infill-model.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { infillDataSource } from "./infill-data.ts";
import { loadSettings } from "./load-settings.ts";
import { createProgress } from "./progress.ts";
import { emitReport, type ReportOutput } from "./report-options.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { version } from "./version.ts";

export interface EvalInfillOptions extends InfillAsking {
  /** Names; none means all. */
  readonly sets: readonly string[];
  readonly flags: Flags;
  /** Folder with the data; `null`: the cache. */
  readonly data: string | null;
  /** SantaCoder-FIM as JSON lines; `null` leaves it out. */
  readonly santacoder: string | null;
  /** `null`: every task. */
  readonly limit: number | null;
  readonly seed: number;
  readonly samples: number;
  readonly parallel: number;
  /** `null`: a file of the cache. */
  readonly out: string | null;
  readonly restarts: boolean;
  readonly isUnsafe: boolean;
  /** In place of a model. */
  readonly script: Script | null;
  /** Puts the right answers through the filters and does nothing else. */
  readonly onlyLosses: boolean;
  readonly output: ReportOutput;
}

/**
 * Prints the report. 1 when something is missing or failed, the run was interrupted, or a script
 * shows that the harness is wrong.
 */
export async function evalInfillCommand(options: EvalInfillOptions): Promise<ExitCode> {
  // Before anything is looked for or asked.
  const named = setsOf(options.sets);
  const loaded = await loadSettings(process.cwd(), options.flags);
  const { settings } = loaded.resolved;
  const progress = createProgress("eval infill", process.stderr);
  const interrupted = untilInterrupted();
  const { signal } = interrupted;
  const say = (line: string): void => progress.say(`midspan: ${line}`);
  let model: InfillModel | null = null;
  let results: ResultFile<InfillRow> | null = null;
  try {
    const { script } = options;
    // Before compilers try solutions for minutes.
    model =
      script === null
        ? await infillModel(loaded, options)
        : scriptedModel(script, { settings, asking: options });
    const names = options.sets.length === 0 && options.santacoder !== null ? null : options.sets;
    // Only SantaCoder-FIM, which is compared, runs nothing.
    const sandbox = names === null ? null : await openSandbox({ allowsUnsafe: options.isUnsafe });
    if (sandbox?.isolation === "none") say("generated code runs with your own rights (--unsafe)");
    const { cache } = loaded.folders;
    const isOffline = settings["offline.enabled"];
    const source = infillDataSource({ folder: options.data, cache, isOffline, signal, say });
    const { limit, seed, parallel } = options;
    const onProgress = progress.update;
    const sets: LoadedSet[] =
      names === null || sandbox === null
        ? []
        : [
            ...(await loadSets(named, {
              ...{ source, sandbox, limit, seed, parallel, onProgress, signal },
            })),
          ];
    const remarks = sets.flatMap((set) =>
      set.kind === "missing" ? [`${set.name}: ${set.reason}.`] : [],
    );
    if (options.santacoder !== null) {
      const { tasks, remarks: odd } = await readSantaCoder(options.santacoder);
      sets.push(...santaCoderSets(tasks, options));
      remarks.push(...odd.map((remark) => `SantaCoder-FIM: ${remark}.`));
    }
    const ready = sets.filter((set) => set.kind === "ready");
    if (options.onlyLosses && model.format !== null) {
      progress.finish(null);
      const { format } = model;
      const found = ready.map(({ name, tasks }) => {
        return { name, tasks: tasks.length, losses: filterLosses(tasks, { format }) };
      });
      const report = lossReport(found, { version, remarks });
      await emitReport(report, { ...options.output, name: "infill-losses" });
      return remarks.length === 0 && report.checks.every(isReached) ? 0 : 1;
    }
    const stamp = stampOf(options, { model, sandbox });
    const path = options.out ?? join(source.cacheFolder, "results", `${nameOf(stamp)}.jsonl`);
    results = await ResultFile.open(path, {
      read: readInfillRow,
      stamp,
      restarts: options.restarts,
    });
    const stopped = await stoppedBy(
      runInfill(ready, {
        ask: model.ask,
        samples: options.samples,
        ...{ parallel, sandbox, results, onProgress, signal },
      }),
      signal,
    );
    progress.finish(null);
    const { rows } = results;
    const known = { rows, samples: options.samples };
    const figures = ready.map((set) => figuresOf(set.name, set.tasks, known));
    const compared = ready.flatMap((set) => (isSantaCoder(set.name) ? set.tasks : []));
    const views = santaCoderViews(compared).map((view) => figuresOf(view.name, view.tasks, known));
    const tasks = ready.flatMap((set) => set.tasks);
    const isFull = options.way === "full" && model.format !== null;
    const losses =
      script === "perfect" && isFull && model.format !== null
        ? filterLosses(tasks, { format: model.format })
        : null;
    const checks = script === null ? [] : scriptChecks(figures, { script, way: options.way });
    const sources = ready.map(({ name, toolchain, solutions }) => {
      return { name, toolchain: toolchain?.version ?? null, solutions };
    });
    const about = { figures, views, sources, remarks, losses, checks };
    const report = infillReport({ stamp: results.stamp, ...about });
    await emitReport(report, { ...options.output, name: "infill" });
    process.stderr.write(`midspan: the results are in ${path}\n`);
    return endOf({ figures, stopped, hasMissingSets: remarks.length > 0, checks });
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write("midspan: stopped; the same command goes on\n");
    return 1;
  } finally {
    progress.finish(null);
    interrupted.dispose();
    await results?.close();
    await model?.close();
  }
}

function setsOf(names: readonly string[]): readonly InfillSet[] {
  try {
    return setsNamed(names);
  } catch (error) {
    throw error instanceof EvaluationUnavailableError ? new UsageError(error.message) : error;
  }
}

/** Why a run ended early, in words; `null` when it did not. */
async function stoppedBy(run: Promise<void>, signal: AbortSignal): Promise<string | null> {
  try {
    await run;
    return null;
  } catch (error) {
    if (signal.aborted) return "the run was interrupted";
    if (error instanceof EvaluationUnavailableError) return error.message;
    throw error;
  }
}

function endOf(run: {
  readonly figures: readonly InfillFigures[];
  readonly stopped: string | null;
  readonly hasMissingSets: boolean;
  readonly checks: ReturnType<typeof scriptChecks>;
}): ExitCode {
  const { figures, stopped, hasMissingSets, checks } = run;
  const sum = (of: (set: InfillFigures) => number): number =>
    figures.reduce((total, set) => total + of(set), 0);
  const [failed, missing] = [sum((set) => set.failed), sum((set) => set.missing)];
  const broken = checks.filter((check) => !isReached(check)).length;
  const faults = [
    ...(stopped === null ? [] : [stopped]),
    ...(failed === 0 ? [] : [`the backend failed at ${failed} answers`]),
    ...(missing === 0 ? [] : [`${missing} answers were not asked for`]),
    ...(broken === 0 ? [] : [`the harness is wrong in ${broken} points`]),
  ];
  if (faults.length > 0) {
    const answered = sum((set) => set.answers);
    const line = `${faults.join("; ")}; ${answered} answers are there, the same command goes on`;
    process.stderr.write(`midspan: ${line}\n`);
    return 1;
  }
  return hasMissingSets ? 1 : 0;
}

function santaCoderSets(
  tasks: readonly InfillTask[],
  options: Pick<EvalInfillOptions, "limit" | "seed">,
): readonly LoadedSet[] {
  const names = [...new Set(tasks.map(({ set }) => set))];
  return names.map((name): LoadedSet => {
    const own = tasks.filter(({ set }) => set === name);
    const sample = sampleTasks(own, options);
    return {
      ...{ kind: "ready", name, tasks: sample },
      ...{ solutions: null, toolchain: null },
    };
  });
}

function stampOf(
  options: EvalInfillOptions,
  about: { readonly model: InfillModel; readonly sandbox: Sandbox | null },
): Stamp {
  const { model, sandbox } = about;
  const { way, order, temperature, samples, seed, lineTokens, blockTokens } = options;
  const format = model.format?.fim === "client" ? model.format : null;
  const usedOrder = order ?? format?.order ?? null;
  const template = format?.templates[usedOrder === "efim" ? "psm" : (usedOrder ?? "psm")];
  return createStamp({
    benchmark: "infill",
    version,
    engine: { kind: model.kind, version: model.engineVersion },
    model: model.id,
    quantisation: model.quantisation,
    template: format === null ? null : `${format.family} ${usedOrder} ${template ?? ""}`,
    stops: format?.stops ?? [],
    sampling: { temperature, samples, maxTokens: Math.max(lineTokens, blockTokens), seed },
    scoring: scoringRule,
    choices: {
      way,
      "tokens of a line": lineTokens,
      "tokens of several lines": blockTokens,
      "tests run": sandbox === null ? "not at all" : `isolated: ${sandbox.isolation}`,
    },
  });
}

/** Of the file that keeps the results: the same for the same choices, readable, and of no odd letters. */
function nameOf({ model, choices, template, sampling, quantisation, engine }: Stamp): string {
  const chosen = JSON.stringify([choices, template, sampling, quantisation, engine.version]);
  const digest = createHash("sha256").update(chosen).digest("hex").slice(0, 8);
  return `${model}-${String(choices.way)}-${digest}`.replace(/[^\w.-]+/g, "_");
}
