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
 * `ci`: the local model and the replay, held against eval-baseline.data.json; exits with 1 when a
 * figure is worse by more than its noise. `--record` measures five samples and writes the baseline.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
  regressionChecks,
  type WatchedFigures,
} from "../src/eval/quick/regression-checks.ts";
import { standInModel } from "../src/eval/replay/stand-in-backend.ts";
import type { QuestionSource } from "../src/eval/repo/line-question.ts";
import { lineScores } from "../src/eval/repo/line-scores.ts";
import { markdownTable } from "../src/eval/report/render-markdown.ts";
import type { SourceFile } from "../src/eval/source-file.ts";
import { systemClock } from "../src/host/clock.ts";

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

// The product's defaults, whatever the person's own settings are.
const { settings } = resolveSettings({
  ...{ flags: {}, environment: {}, user: null, workspace: null },
});
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
process.exitCode = flags.record ? await record(files) : await evaluate(files);

async function evaluate(known: readonly SourceFile[]): Promise<number> {
  const source = quickQuestions(known, { cursors: size.cursors, seed });
  const local = await askLocal(source);
  const replay = await replayed(known, seed);
  const ways = kind === "ci" ? [local] : [local, ...(await askModels(source))];
  progress.finish(null);
  const baseline = readBaseline();
  const checks =
    kind === "quick" || baseline === null
      ? []
      : regressionChecks(figuresOf(local, replay), baseline);
  const run: QuickRun = {
    ...{ ways, replay, seed, checks, version, threshold: THRESHOLD },
    description: source.description,
    machine: describeMachine(),
  };
  const folder = flags.report;
  await emitReport(quickReport(run), { folder, json: false, name: `eval-${kind}` });
  if (flags.docs) writeTable(markdownTable(quickTable(run)));
  if (kind === "ci" && baseline === null) {
    process.stderr.write("there is no baseline; npm run eval:ci -- --record writes one\n");
    return 1;
  }
  return checks.every(isReached) ? 0 : 1;
}

/** Other samples of the same code say how far a figure moves for no reason. */
async function record(known: readonly SourceFile[]): Promise<number> {
  const samples: WatchedFigures[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const source = quickQuestions(known, { cursors: size.cursors, seed: seed + sample });
    const local = await askLocal(source);
    samples.push(figuresOf(local, await replayed(known, seed + sample)));
  }
  progress.finish(null);
  const text = JSON.stringify(baselineOf(samples), null, 2);
  writeFileSync(baselineFile, `${text}\n`);
  process.stdout.write(`${text}\n`);
  return 0;
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

function readBaseline(): Baseline | null {
  return existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, "utf8")) : null;
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
