/**
 * The evaluation that a change is looked at with, on this repository itself: some files are held out
 * and asked about, the others are known. No network is needed.
 *
 *   npm run eval:quick [-- --report DIR] [--docs] [--seed N]
 *   npm run eval:ci    [-- --record]
 *
 * `quick`: the local model, and each model of MIDSPAN_EVAL_TARGETS (as `--target` of `midspan bench
 * latency`, apart by blanks) called plainly, through the product, and behind the local model. A model
 * that is missing is a row that says so. `--docs` writes the table into docs/evaluation.md.
 * `ci`: the local model and the replay, the mean of five samples held against
 * eval-baseline.data.json; exits with 1 when a figure is worse by more than its noise. `--record`
 * writes the baseline.
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
import { type BenchReporter, isReached } from "../src/eval/bench-report.ts";
import { describeMachine } from "../src/eval/machine.ts";
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
  meanFigures,
  regressionChecks,
  type WatchedFigures,
} from "../src/eval/quick/regression-checks.ts";
import { standInModel } from "../src/eval/replay/stand-in-backend.ts";
import type { QuestionSource } from "../src/eval/repo/line-question.ts";
import { lineScores } from "../src/eval/repo/line-scores.ts";
import { markdownTable } from "../src/eval/report/render-markdown.ts";
import type { SourceFile } from "../src/eval/source-file.ts";
import { systemClock } from "../src/host/clock.ts";
import { mean } from "../src/stats/summary.ts";

const root = join(fileURLToPath(import.meta.url), "..", "..");
const baselineFile = join(root, "scripts", "eval-baseline.data.json");
const page = join(root, "docs", "evaluation.md");
const THRESHOLD = 0.25;
const SAMPLES = 5;
/** Of each way that asks a language model: three of them, and the rest, take less than five minutes. */
const SECONDS_PER_WAY = 60;
const SIZES = {
  quick: { cursors: 1_000, sessions: 20, units: 400 },
  ci: { cursors: 400, sessions: 12, units: 300 },
} as const;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: "string", default: join(root, "build", "eval") },
    docs: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const kind = positionals[0] === "ci" ? "ci" : "quick";
const size = SIZES[kind];
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

const files = await workspaceFiles(root, {
  deny: settings["files.deny"],
  maxFileBytes: settings["index.maxFileBytes"],
});
process.exitCode = kind === "ci" ? await watch(files) : await quick(files);

async function quick(known: readonly SourceFile[]): Promise<number> {
  const source = quickQuestions(known, { cursors: size.cursors, seed });
  const ways = [await askLocal(source), ...(await askModels(source))];
  const replay = await replayed(known, seed);
  progress.finish(null);
  const run = runOf({ ways, replay, description: source.description, checks: [] });
  await emitReport(quickReport(run), { folder: flags.report, json: false, name: "eval-quick" });
  if (flags.docs) writeTable(markdownTable(quickTable(run)));
  return 0;
}

/** Other held-out files of the same code say how far a figure moves for no reason. */
async function watch(known: readonly SourceFile[]): Promise<number> {
  const samples: { readonly local: QuickWay; readonly replay: QuickReplay }[] = [];
  let description = "";
  for (let sample = 0; sample < SAMPLES; sample++) {
    const source = quickQuestions(known, { cursors: size.cursors, seed: seed + sample });
    description = `${SAMPLES} times ${source.description}`;
    const local = await askLocal(source);
    samples.push({ local, replay: await replayed(known, seed + sample) });
  }
  progress.finish(null);
  const figures = samples.map(({ local, replay }) => figuresOf(local, replay));
  if (flags.record) {
    const text = JSON.stringify(baselineOf(figures), null, 2);
    writeFileSync(baselineFile, `${text}\n`);
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const checks = regressionChecks(meanFigures(figures), readBaseline());
  const local = pooled(samples.map((sample) => sample.local));
  const replay = {
    ...meanFigures(figures),
    keys: samples.reduce((sum, sample) => sum + sample.replay.keys, 0),
    keystrokesSaved: mean(samples.map((sample) => sample.replay.keystrokesSaved)),
  };
  const run = runOf({ ways: [local], replay, description, checks });
  await emitReport(quickReport(run), { folder: flags.report, json: false, name: "eval-ci" });
  return checks.every(isReached) ? 0 : 1;
}

function runOf(found: Pick<QuickRun, "ways" | "replay" | "description" | "checks">): QuickRun {
  return { ...found, seed, version, threshold: THRESHOLD, machine: describeMachine() };
}

/** The answers of all samples as those of one. */
function pooled(ways: readonly QuickWay[]): QuickWay {
  const measured = ways.filter((way) => way.kind === "measured");
  const answers = measured.flatMap((way) => way.answers);
  const msPerQuestion = mean(measured.map((way) => way.msPerQuestion));
  return { kind: "measured", name: "local model", answers, msPerQuestion };
}

function askLocal(source: QuestionSource): Promise<QuickWay> {
  const parts = { createEngine, hasLocal: true, model: null, signal: endless, reporter };
  return askThroughEngine("local model", source, parts);
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
        const model = open.languageModel;
        if (model === null) continue;
        const limits = () => ({ reporter, signal: AbortSignal.timeout(SECONDS_PER_WAY * 1_000) });
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

function replayed(known: readonly SourceFile[], sampleSeed: number): Promise<QuickReplay> {
  return quickReplay(known, {
    ...{ sessions: size.sessions, units: size.units, seed: sampleSeed, reporter, signal: endless },
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
  const { newTokensPerKey, requestsPerShown } = replay;
  return { exactMatch, calibrationError, newTokensPerKey, requestsPerShown };
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
