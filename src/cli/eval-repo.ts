/** `midspan eval repo`: how often the rest of a line is right in a repository of one's own. */

import { askQuestions } from "../eval/repo/ask-questions.ts";
import { commitQuestions } from "../eval/repo/commit-questions.ts";
import { fileQuestions } from "../eval/repo/file-questions.ts";
import { GitHistory } from "../eval/repo/git-history.ts";
import { type LineAnswer, readLineAnswer } from "../eval/repo/line-answer.ts";
import type { QuestionSource } from "../eval/repo/line-question.ts";
import { repoReport } from "../eval/repo/repo-report.ts";
import { EvaluationUnavailableError } from "../eval/run/evaluation-unavailable.ts";
import { ResultFile } from "../eval/run/result-file.ts";
import { createRandom } from "../stats/random.ts";
import { textOfFile, workspaceFiles } from "./eval-repo-files.ts";
import { askingWays } from "./eval-repo-ways.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { createProgress, type Progress } from "./progress.ts";
import { evaluatedModel, evaluationStamp } from "./replay-engine.ts";
import { emitReport, type ReportOutput } from "./report-options.ts";
import { untilInterrupted } from "./until-interrupted.ts";

export interface EvalRepoOptions {
  readonly dir: string | null;
  readonly flags: Flags;
  readonly cursors: number;
  /** Newest commits that are looked at. */
  readonly commits: number;
  /** `auto`: by commits where there is a history. */
  readonly split: "auto" | "commits" | "files";
  /** The newest commit that is looked at; `null` for that of the working tree. */
  readonly revision: string | null;
  readonly seed: number;
  /** `null` for no limit. */
  readonly minutes: number | null;
  /** Where answers are kept, to be continued; `null` keeps none. */
  readonly answers: string | null;
  readonly restart: boolean;
  /** Also asks without each source of context, with each alone and without any. */
  readonly eachSource: boolean;
  readonly output: ReportOutput;
}

const SCORING = "the rest of the line, blanks at its end aside";

/** Prints the report; 1 when a backend failed, the run was interrupted, or nothing could be asked. */
export async function evalRepoCommand(options: EvalRepoOptions): Promise<ExitCode> {
  const workspace = findWorkspace(options.dir);
  const loaded = await loadSettings(workspace, options.flags);
  const { settings } = loaded.resolved;
  const evaluated = await evaluatedModel(workspace, loaded);
  const history = options.split === "files" ? null : await openHistory(workspace, options.revision);
  const interrupted = untilInterrupted();
  const progress = createProgress("eval repo", process.stderr);
  let kept: ResultFile<LineAnswer> | null = null;
  try {
    const source = await questionSource(workspace, { options, settings, history, progress });
    const { model } = evaluated;
    const stamp = evaluationStamp({
      benchmark: "repo",
      settings,
      model,
      scoring: SCORING,
      seed: options.seed,
      choices: {
        split: source.kind,
        state: source.state,
        cursors: options.cursors,
        commits: options.commits,
        "each source": options.eachSource,
      },
    });
    const file = options.answers;
    kept =
      file === null
        ? null
        : await ResultFile.open(file, { read: readLineAnswer, stamp, restarts: options.restart });
    const limit = options.minutes === null ? [] : [AbortSignal.timeout(options.minutes * 60_000)];
    const asking = askingWays({ settings, model, eachSource: options.eachSource });
    const asked = await askQuestions({
      ways: asking.ways,
      known: asking.known,
      source,
      earlier: kept?.rows ?? new Map(),
      keep: (answer) => kept?.append(answer),
      reporter: {
        progress: ({ label, done, total }) => progress.update(done, total, label),
        note: () => {},
      },
      signal: AbortSignal.any([interrupted.signal, ...limit]),
    });
    asking.close();
    progress.finish(null);
    const wasInterrupted = interrupted.signal.aborted;
    const stopped =
      asked.stopped === "interrupted" && !wasInterrupted
        ? `its ${options.minutes} minutes were over`
        : asked.stopped;
    const { description } = source;
    const { threshold } = settings;
    const { answers } = asked;
    const about = { answers, description, threshold, seed: options.seed };
    const report = repoReport({
      ...about,
      ...{ stamp: kept?.stamp ?? stamp, stopped, worth: asking.worth },
    });
    await emitReport(report, { ...options.output, name: "repo" });
    const failed = answers.filter(({ outcome }) => outcome.kind === "failed").length;
    const hasEnded = asked.stopped === null || (asked.stopped === "interrupted" && !wasInterrupted);
    if (failed === 0 && hasEnded) return 0;
    process.stderr.write(`midspan: ${summary({ failed, stopped, options, answers })}\n`);
    return 1;
  } finally {
    progress.finish(null);
    interrupted.dispose();
    history?.close();
    await kept?.close();
    await evaluated.close();
  }
}

async function openHistory(workspace: string, revision: string | null): Promise<GitHistory | null> {
  const history = await GitHistory.open(workspace, revision ?? "HEAD");
  if (history !== null || revision === null) return history;
  throw new UsageError(`there is no commit ${revision} in ${workspace}`);
}

async function questionSource(
  workspace: string,
  parts: {
    readonly options: EvalRepoOptions;
    readonly settings: Awaited<ReturnType<typeof loadSettings>>["resolved"]["settings"];
    readonly history: GitHistory | null;
    readonly progress: Progress;
  },
): Promise<QuestionSource> {
  const { options, settings, history, progress } = parts;
  const { cursors, commits, seed, split } = options;
  const choice = { deny: settings["files.deny"], maxFileBytes: settings["index.maxFileBytes"] };
  const random = createRandom(seed);
  if (history !== null) {
    const onProgress = (done: number, total: number): void =>
      progress.update(done, total, "commits read");
    const textOf = textOfFile(choice);
    const source = await commitQuestions({ history, cursors, commits, random, textOf, onProgress });
    if (source.batches.length > 0 || split === "commits") return checked(source, workspace);
  }
  if (split === "commits") {
    throw new EvaluationUnavailableError(`${workspace} has no git history; use --split files`);
  }
  const files = await workspaceFiles(workspace, choice);
  return checked(fileQuestions(files, { cursors, random: createRandom(seed) }), workspace);
}

function checked(source: QuestionSource, workspace: string): QuestionSource {
  if (source.batches.some(({ questions }) => questions.length > 0)) return source;
  const message = `${workspace} holds no lines of code to ask about`;
  throw new EvaluationUnavailableError(message);
}

function summary(run: {
  readonly failed: number;
  readonly stopped: string | null;
  readonly options: EvalRepoOptions;
  readonly answers: readonly LineAnswer[];
}): string {
  const { failed, stopped, options, answers } = run;
  const parts: string[] = [];
  if (failed > 0) parts.push(`the backend failed at ${failed} of ${answers.length} lines`);
  if (stopped !== null) parts.push(`the run was not finished (${stopped})`);
  const next =
    options.answers === null ? "--answers FILE would keep them" : "the same command goes on";
  return `${parts.join("; ")}; ${answers.length - failed} answers are there, ${next}`;
}
