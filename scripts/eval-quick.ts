/**
 * The evaluation that a change is looked at with: some files are held out and asked about, the others
 * are known. No network is needed.
 *
 *   npm run eval:quick [-- --report DIR] [--docs] [--seed N] [--tokens N] [--seconds N]
 *   npm run eval:ci    [-- --record]
 *
 * `quick`: on this repository itself, the local model, and each model of MIDSPAN_EVAL_TARGETS (as `--target` of `midspan bench
 * latency`, apart by blanks) called plainly, through the product, and behind the local model. A model
 * that is missing is a row that says so. `--docs` writes the table into docs/evaluation.md.
 * `ci`: on packages of the lockfile, the local model and the replay, held against
 * eval-baseline.data.json; exits with 1 when a figure is worse by more than its noise, or when a
 * package is another version than the recorded one. `--record` writes the baseline.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benchTarget, parseTarget } from "../src/cli/bench-targets.ts";
import { workspaceFiles } from "../src/cli/eval-repo-files.ts";
import { createProgress } from "../src/cli/progress.ts";
import { evaluationEngine } from "../src/cli/replay-engine.ts";
import { emitReport } from "../src/cli/report-options.ts";
import { version } from "../src/cli/version.ts";
import { resolveSettings } from "../src/config/resolve.ts";
import type { LanguageModel } from "../src/engine/index.ts";
import { type BenchReporter, isReached } from "../src/eval/bench-report.ts";
import { describeMachine } from "../src/eval/machine.ts";
import {
  pinnedQuestions,
  pinnedTasks,
  readPinnedSources,
} from "../src/eval/quick/pinned-sources.ts";
import {
  askPlainly,
  askThroughEngine,
  type CreateEngine,
  type QuickWay,
  quickQuestions,
} from "../src/eval/quick/quick-lines.ts";
import { type QuickReplay, quickReplay } from "../src/eval/quick/quick-replay.ts";
import { type QuickRun, quickReport, quickTable } from "../src/eval/quick/quick-report.ts";
import {
  type Baseline,
  baselineOf,
  changedPackages,
  regressionChecks,
  type WatchedFigures,
} from "../src/eval/quick/regression-checks.ts";
import { stretchTasks, type TaskBatch } from "../src/eval/replay/replay-tasks.ts";
import { standInModel } from "../src/eval/replay/stand-in-backend.ts";
import type { QuestionSource } from "../src/eval/repo/line-question.ts";
import { lineScores } from "../src/eval/repo/line-scores.ts";
import { markdownTable } from "../src/eval/report/render-markdown.ts";
import { systemClock } from "../src/host/clock.ts";
import { createRandom } from "../src/stats/random.ts";

const root = join(fileURLToPath(import.meta.url), "..", "..");
const baselineFile = join(root, "scripts", "eval-baseline.data.json");
const page = join(root, "docs", "evaluation.md");
const THRESHOLD = 0.25;
const LOCAL = "local model";
const QUICK = { cursors: 1_000, sessions: 20, units: 400 } as const;
const WATCHED = { cursorsPerFile: 20, filesPerPackage: 6, units: 600 } as const;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: "string", default: join(root, "build", "eval") },
    docs: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    // Of a model's prompt and answer: short, so that a machine without a GPU answers some lines.
    tokens: { type: "string", default: "384" },
    // Of each way that asks a language model: three of them, and the rest, take less than five minutes.
    seconds: { type: "string", default: "60" },
  },
});
const kind = positionals[0] === "ci" ? "ci" : "quick";
const seed = Number(flags.seed);

// The product's defaults, whatever the person's own settings are; but nobody waits here, and a slow
// machine must not turn an answer into a failure.
const settings = {
  ...resolveSettings({ flags: {}, environment: {}, user: null, workspace: null }).settings,
  "request.timeoutMs": 60_000,
};
const progress = createProgress(`eval ${kind}`, process.stderr);
const reporter: BenchReporter = {
  progress: ({ label, done, total }) => progress.update(done, total, label),
  note: () => {},
};
const endless = new AbortController().signal;
const createEngine: CreateEngine = (parts) =>
  evaluationEngine({ ...parts, settings, clock: systemClock });

process.exitCode = kind === "ci" ? await watch() : await quick();

async function quick(): Promise<number> {
  const { cursors, sessions, units } = QUICK;
  const known = await workspaceFiles(root, {
    deny: settings["files.deny"],
    maxFileBytes: settings["index.maxFileBytes"],
  });
  const source = quickQuestions(known, { cursors, seed });
  const ways = [await askLocal(source), ...(await askModels(source))];
  const random = createRandom(seed);
  const replay = await replayed(stretchTasks(known, { sessions, units, random }));
  progress.finish(null);
  const asked = ways.some((way) => way.kind === "measured" && way.name !== LOCAL);
  const limits = asked ? `; prompt and answer of a language model: ${flags.tokens} tokens` : "";
  const description = source.description + limits;
  const run = runOf({ ways, replay, description, checks: [] });
  await emitReport(quickReport(run), { folder: flags.report, json: false, name: "eval-quick" });
  if (flags.docs) writeTable(markdownTable(quickTable(run)));
  return 0;
}

/** Everything here is the same in every run of the same code: no draw, no clock, no network. */
async function watch(): Promise<number> {
  const sources = await readPinnedSources(join(root, "node_modules"));
  const packages = Object.fromEntries(sources.map(({ name, version }) => [name, version]));
  const changed = flags.record ? [] : changedPackages(packages, readBaseline());
  if (changed.length > 0) {
    process.stderr.write(
      `The baseline is of other sources: ${changed.join("; ")}.\nIf that was meant, record it again: npm run eval:ci -- --record\n`,
    );
    return 1;
  }
  const source = pinnedQuestions(sources, WATCHED);
  const local = await askLocal(source);
  const replay = await replayed(pinnedTasks(sources, WATCHED));
  progress.finish(null);
  const figures = figuresOf(local, replay);
  if (flags.record) {
    const text = JSON.stringify(baselineOf(figures, packages), null, 2);
    writeFileSync(baselineFile, `${text}\n`);
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const checks = regressionChecks(figures, readBaseline());
  const run = runOf({ ways: [local], replay, description: source.description, checks });
  await emitReport(quickReport(run), { folder: flags.report, json: false, name: "eval-ci" });
  return checks.every(isReached) ? 0 : 1;
}

function runOf(found: Pick<QuickRun, "ways" | "replay" | "description" | "checks">): QuickRun {
  return { ...found, seed, version, threshold: THRESHOLD, machine: describeMachine() };
}

function askLocal(source: QuestionSource): Promise<QuickWay> {
  const parts = { createEngine, hasLocal: true, model: null, signal: endless, reporter };
  return askThroughEngine(LOCAL, source, parts);
}

/** Three ways for each model; one that is missing keeps its rows. */
async function askModels(source: QuestionSource): Promise<readonly QuickWay[]> {
  const targets = (process.env.MIDSPAN_EVAL_TARGETS ?? "").split(/\s+/).filter((one) => one !== "");
  const ways: QuickWay[] = [];
  const missing = (name: string, reason: string): void => {
    for (const row of [`${name}, plain call`, name, `local model, then ${name}`]) {
      ways.push({ kind: "missing", name: row, reason });
    }
  };
  if (targets.length === 0) missing("language model", "MIDSPAN_EVAL_TARGETS names none");
  for (const text of targets) {
    const spec = parseTarget(text);
    const { name } = spec;
    try {
      const open = await benchTarget(spec, { slots: 1, slotTokens: 2_048 }).open();
      try {
        if (open.languageModel === null) continue;
        const model = withinTokens(open.languageModel, Number(flags.tokens));
        const limits = () => ({
          reporter,
          signal: AbortSignal.timeout(Number(flags.seconds) * 1_000),
        });
        const parts = { createEngine, model };
        ways.push(
          await askPlainly(`${name}, plain call`, source, { model, ...limits() }),
          await askThroughEngine(name, source, { ...parts, hasLocal: false, ...limits() }),
          await askThroughEngine(`local model, then ${name}`, source, {
            ...{ ...parts, hasLocal: true, ...limits() },
          }),
        );
      } finally {
        await open.close();
      }
    } catch (error) {
      missing(name, error instanceof Error ? error.message : String(error));
    }
  }
  return ways;
}

function withinTokens(model: LanguageModel, tokens: number): LanguageModel {
  const { format } = model;
  const contextTokens = Math.min(format.contextTokens ?? tokens, tokens);
  return { ...model, format: { ...format, contextTokens } };
}

function replayed(batches: readonly TaskBatch[]): Promise<QuickReplay> {
  return quickReplay(batches, {
    ...{ seed, reporter, signal: endless },
    createEngine: ({ backend, ...parts }) =>
      evaluationEngine({
        ...{ ...parts, settings },
        model: backend === null ? null : { ...standInModel(), backend, repositoryName: "midspan" },
      }),
  });
}

function figuresOf(local: QuickWay, replay: QuickReplay): WatchedFigures {
  const answers = local.kind === "measured" ? local.answers : [];
  const { exactMatch, calibrationError } = lineScores(answers, { threshold: THRESHOLD });
  const { newTokensPerKey, requestsPerShown, keystrokesSaved } = replay;
  return { exactMatch, calibrationError, newTokensPerKey, requestsPerShown, keystrokesSaved };
}

function readBaseline(): Baseline {
  return JSON.parse(readFileSync(baselineFile, "utf8"));
}

/** Between the marks of the page. */
function writeTable(table: string): void {
  const text = readFileSync(page, "utf8");
  const [begin, end] = ["<!-- eval:quick -->", "<!-- /eval:quick -->"];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} has no place between ${begin} and ${end}`);
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`);
}
