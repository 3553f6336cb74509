/** `midspan replay`: types key by key through the engine with a simulated person, and counts. */
import type { Backend } from "../core/index.ts";
import type { LanguageModel } from "../engine/index.ts";
import type { Pace } from "../eval/replay/paced-backend.ts";
import { parseRecordings } from "../eval/replay/recorded-edits.ts";
import { replayReport } from "../eval/replay/replay-report.ts";
import { recordedTasks, stretchTasks, type TaskBatch } from "../eval/replay/replay-tasks.ts";
import {
  type Configuration,
  readSessionRow,
  runReplay,
  type SessionRow,
} from "../eval/replay/run-replay.ts";
import { type StandIn, standInModel } from "../eval/replay/stand-in-backend.ts";
import { stateOf } from "../eval/repo/files-state.ts";
import { EvaluationUnavailableError } from "../eval/run/evaluation-unavailable.ts";
import { textOfFile } from "../eval/run/json-lines.ts";
import { ResultFile } from "../eval/run/result-file.ts";
import type { Stamp } from "../eval/run/stamp.ts";
import type { SourceFile } from "../eval/source-file.ts";
import { LocalModel } from "../local/index.ts";
import { createRandom } from "../stats/random.ts";
import { percentile } from "../stats/summary.ts";
import { workspaceFiles } from "./eval-repo-files.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { createProgress } from "./progress.ts";
import { createKnownContext, type KnownContext } from "./replay-context.ts";
import { evaluatedModel, evaluationEngine, evaluationStamp } from "./replay-engine.ts";
import { emitReport, type ReportOutput } from "./report-options.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** One way of working, as the command line says it. */
export interface ReplayConfiguration {
  readonly name: string;
  readonly flags: Flags;
  /** In place of the model of the settings; `null` for none. */
  readonly standIn: StandIn | null;
  /** What the model's time counts as; `null` for what it takes. */
  readonly pace: Pace | null;
  /** The model is asked at once on every key, and anew. */
  readonly asksEveryKey: boolean;
}

export interface ReplayCommandOptions {
  readonly dir: string | null;
  /** One, or two that are compared. */
  readonly configurations: readonly ReplayConfiguration[];
  /** Recorded edits; `null` types stretches of held-out files. */
  readonly edits: string | null;
  readonly sessions: number;
  /** Characters of each. */
  readonly units: number;
  readonly seed: number;
  readonly minutes: number | null;
  readonly answers: string | null;
  readonly restart: boolean;
  readonly output: ReportOutput;
}

/** A configuration with its model, to be closed. */
interface Prepared {
  readonly configuration: Configuration;
  readonly stamp: Stamp;
  readonly context: KnownContext | null;
  readonly networkMs: number | null;
  close(): Promise<void>;
}

const ROUND_TRIPS = 5;

/** Prints the report; 1 when calls failed, the run was interrupted, or there is nothing to type. */
export async function replayCommand(options: ReplayCommandOptions): Promise<ExitCode> {
  const workspace = findWorkspace(options.dir);
  const interrupted = untilInterrupted();
  const progress = createProgress("replay", process.stderr);
  const prepared: Prepared[] = [];
  let kept: ResultFile<SessionRow> | null = null;
  try {
    const typed = await typedText(workspace, options);
    const state = stateOf([...typed.files, ...typed.edits]);
    const { batches, description, sessions } = tasksOf(workspace, typed, options);
    for (const one of options.configurations) {
      prepared.push(await prepare(workspace, one, { ...options, state, sessions }));
    }
    if (options.answers !== null) {
      const stamp = joined(prepared);
      kept = await ResultFile.open(options.answers, {
        read: readSessionRow,
        stamp,
        restarts: options.restart,
      });
    }
    const limit = options.minutes === null ? [] : [AbortSignal.timeout(options.minutes * 60_000)];
    const rows = await runReplay({
      batches,
      configurations: prepared.map(({ configuration }) => configuration),
      known: {
        local: new LocalModel(),
        onFiles: async (files) => {
          for (const { context } of prepared) await context?.know(files);
        },
      },
      seed: options.seed,
      earlier: kept?.rows ?? new Map(),
      keep: (row) => kept?.append(row),
      reporter: {
        progress: ({ label, done, total }) => progress.update(done, total, label),
        note: () => {},
      },
      signal: AbortSignal.any([interrupted.signal, ...limit]),
    });
    progress.finish(null);
    const planned = prepared.length * sessions;
    const isWhole = rows.length === planned;
    const wasInterrupted = interrupted.signal.aborted;
    const why = wasInterrupted ? "interrupted" : `its ${options.minutes} minutes were over`;
    const report = replayReport({
      rows,
      configurations: prepared.map(({ configuration: { name }, stamp, networkMs }) => ({
        name,
        stamp,
        networkMs,
      })),
      description,
      seed: options.seed,
      stopped: isWhole ? null : why,
    });
    await emitReport(report, { ...options.output, name: "replay" });
    const failed = rows.reduce((sum, { counts }) => sum + counts.calls.failed, 0);
    if (failed === 0 && !(wasInterrupted && !isWhole)) return 0;
    const calls = rows.reduce((sum, { counts }) => sum + counts.calls.started, 0);
    const next =
      options.answers === null ? "--answers FILE would keep them" : "the same command goes on";
    process.stderr.write(
      `midspan: ${failed} of ${calls} calls of the backend failed; ${rows.length} of ${planned} sessions are there, ${next}\n`,
    );
    return 1;
  } finally {
    progress.finish(null);
    interrupted.dispose();
    await kept?.close();
    for (const one of prepared) await one.close();
  }
}

async function prepare(
  workspace: string,
  { name, flags, standIn, pace, asksEveryKey }: ReplayConfiguration,
  options: ReplayCommandOptions & { readonly state: string },
): Promise<Prepared> {
  const loaded = await loadSettings(workspace, flags);
  const { settings } = loaded.resolved;
  const evaluated = standIn === null ? await evaluatedModel(workspace, loaded) : null;
  const real = evaluated?.model ?? null;
  const model = standIn === null ? real : standInOf(workspace);
  const context = model === null ? null : createKnownContext(settings);
  const { edits, sessions, units, seed, state } = options;
  return {
    context,
    configuration: {
      name,
      model:
        standIn !== null
          ? { kind: "stand-in", standIn }
          : real === null
            ? { kind: "none" }
            : { kind: "real", backend: real.backend, pace },
      usesLocal: settings["local.enabled"],
      asksEveryKey,
      createContext: context === null ? null : () => context.createSource(),
      createEngine: ({ clock, stopwatch, local, backend, context: source }) =>
        evaluationEngine({
          settings,
          clock,
          stopwatch,
          local,
          model: model === null || backend === null ? null : { ...model, backend },
          context: source,
        }),
    },
    stamp: evaluationStamp({
      benchmark: "replay",
      settings,
      model: model === null ? null : { ...model, backend: real?.backend ?? { kind: "stand-in" } },
      scoring: "a simulated person of 200 to 600 characters a minute",
      seed,
      choices: {
        ...(edits === null ? { sessions, characters: units } : { edits: "recorded" }),
        state,
        prefetch: settings["prefetch.enabled"],
        ...(pace === null ? {} : { "model time": `${pace.ttftMs} ms, ${pace.perTokenMs} ms` }),
        ...(asksEveryKey ? { "every key": true } : {}),
        ...(standIn === null ? {} : { "stand-in": `${standIn.ttftMs} ms, ${standIn.rightShare}` }),
      },
    }),
    networkMs: real === null ? null : await roundTripMs(real.backend),
    close: async () => evaluated?.close(),
  };
}

function standInOf(workspace: string): Omit<LanguageModel, "backend"> {
  return { ...standInModel(), repositoryName: workspace.split("/").at(-1) ?? "" };
}

/** The median of some small requests; `null` where the server does not answer them. */
async function roundTripMs(backend: Backend): Promise<number | null> {
  const times: number[] = [];
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const startedAt = performance.now();
    try {
      await backend.listModels({ signal: AbortSignal.timeout(2_000) });
    } catch {
      return null;
    }
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}

/** What there is to type, as it lies on disk. */
interface TypedText {
  readonly files: readonly SourceFile[];
  /** The file of recorded edits; none types stretches of the files. */
  readonly edits: readonly SourceFile[];
}

async function typedText(workspace: string, options: ReplayCommandOptions): Promise<TypedText> {
  const { configurations, edits } = options;
  const { settings } = (await loadSettings(workspace, configurations[0]?.flags ?? {})).resolved;
  const choice = { deny: settings["files.deny"], maxFileBytes: settings["index.maxFileBytes"] };
  const files = await workspaceFiles(workspace, choice);
  if (edits === null) return { files, edits: [] };
  const text = await textOfFile(edits);
  if (text === null) throw new EvaluationUnavailableError(`${edits} is not there`);
  return { files, edits: [{ path: "edits", text, languageId: "plaintext" }] };
}

function tasksOf(
  workspace: string,
  { files, edits }: TypedText,
  options: ReplayCommandOptions,
): {
  readonly batches: readonly TaskBatch[];
  readonly description: string;
  /** What there is to type, which may be less than was asked for. */
  readonly sessions: number;
} {
  const { sessions, units, seed } = options;
  const [recorded] = edits;
  if (recorded !== undefined) {
    const batch = recordedTasks(
      parseRecordings(recorded.text, options.edits ?? recorded.path),
      files,
    );
    const count = batch.tasks.length;
    if (count === 0) throw new EvaluationUnavailableError(`${options.edits} holds no edits`);
    return {
      batches: [batch],
      sessions: count,
      description: `recorded edits of ${count} ${count === 1 ? "document" : "documents"}`,
    };
  }
  const batches = stretchTasks(files, { sessions, units, random: createRandom(seed) });
  const count = batches.reduce((sum, { tasks }) => sum + tasks.length, 0);
  if (count === 0) {
    throw new EvaluationUnavailableError(`${workspace} holds no file of code that is long enough`);
  }
  const fewer = count < sessions ? ` (${sessions} were asked for)` : "";
  const description = `stretches of ${count} held-out ${count === 1 ? "file" : "files"} of ${files.length}${fewer}, the others being known`;
  return { batches, description, sessions: count };
}

/** A result file of two configurations holds for both. */
function joined(prepared: readonly Prepared[]): Stamp {
  const [first, second] = prepared.map(({ stamp }) => stamp);
  if (first === undefined) throw new RangeError("a replay needs a configuration");
  if (second === undefined) return first;
  const { engine, model, choices } = second;
  const other = JSON.stringify([engine, model, choices]);
  return { ...first, choices: { ...first.choices, "compared with": other } };
}
