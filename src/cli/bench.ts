/** `midspan bench`: measures quality and speed and compares them with the targets. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BenchCheck, type BenchReporter, isReached } from "../eval/bench-report.ts";
import { listenBare, serveTarget, startTarget } from "../eval/bench-target.ts";
import { formatContextBench, formatScale as formatContextScale } from "../eval/context-bench.ts";
import { formatSyntaxBench } from "../eval/context-syntax.ts";
import { defaultEngineLoad, engineReport, runEngineBench } from "../eval/engine-bench.ts";
import { defaultSample, type SampleOptions } from "../eval/held-out-sample.ts";
import { formatInferenceBench } from "../eval/inference-report.ts";
import { formatLocalBench, formatScale, runLocalModelBench } from "../eval/local-bench.ts";
import { localCharts } from "../eval/local-charts.ts";
import { measureScale, parseScaleReport, scaleChecks } from "../eval/local-scale.ts";
import { runInOwnProcess } from "../eval/own-process.ts";
import { defaultPolicySample, policyReport, runPolicyBench } from "../eval/policy-bench.ts";
import { listenRelay } from "../eval/relay-target.ts";
import { renderMarkdown } from "../eval/report/render-markdown.ts";
import type { Report } from "../eval/report/report.ts";
import { defaultServerLoad, runServerBench, serverReport } from "../eval/server-bench.ts";
import { formatSpeculationBench } from "../eval/speculation-bench.ts";
import { benchCapacity } from "./bench-capacity.ts";
import { benchContext, benchContextScale } from "./bench-context.ts";
import { benchInference, type InferenceBenchFlags, RELAY_TARGET } from "./bench-inference.ts";
import { benchLatency } from "./bench-latency.ts";
import type { ModelBenchFlags, ModelBenchResult } from "./bench-latency-flags.ts";
import { createBenchEngine, listenInstant } from "./bench-parts.ts";
import { benchSpeculation } from "./bench-speculation.ts";
import { type BenchName, benchSuites } from "./bench-suites.ts";
import { benchSyntax } from "./bench-syntax.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import { benchEditor, formatEditorBench } from "./lsp-bench.ts";
import { corpusFolder, ownFolders } from "./own-folders.ts";
import { createProgress } from "./progress.ts";

export interface BenchOptions extends InferenceBenchFlags, ModelBenchFlags {
  readonly what: string;
  /** Fewer questions, two packages, no large corpus. */
  readonly quick: boolean;
  /** Exit with 1 when a target is missed. */
  readonly strict: boolean;
  readonly json: boolean;
  /** Folder for the charts; `null` draws none. */
  readonly svg: string | null;
}

const quickSample: SampleOptions = { ...defaultSample, cursors: 300 };
const quickPackages = ["rxjs", "@tanstack/query-core"];

/** What one suite found. */
interface SuiteResult {
  readonly report: unknown;
  readonly text: string;
  readonly checks: readonly BenchCheck[];
  /** What was asked for and could not run; absent: nothing. */
  readonly missing?: readonly string[];
}

type Suite = (options: BenchOptions, reporter: BenchReporter) => Promise<SuiteResult>;

/** In the order in which `all` runs them. `scale` is the part of `local` that needs a fresh process. */
const suites: Readonly<Record<BenchName, Suite>> = {
  local: benchLocal,
  policy: benchPolicy,
  engine: benchEngine,
  server: benchServer,
  inference: benchModelServer,
  latency: (options, reporter) => reported(benchLatency(options, ownParts(reporter))),
  capacity: (options, reporter) => reported(benchCapacity(options, ownParts(reporter))),
  editor: async ({ quick }, { progress }) => {
    const onProgress = (done: number, total: number, label: string): void =>
      progress({ done, total, label });
    const report = await benchEditor({ quick, onProgress });
    return { report, text: formatEditorBench(report), checks: report.checks };
  },
  speculation: benchEmbeddedEngine,
  scale: benchScale,
  context: async ({ quick, parts, cursors, minutes, answers }, reporter) => {
    const flags = { quick, parts, cursors, minutes, answers, quickPackages };
    const report = await benchContext({ ...flags, ...ownParts(reporter) });
    return { report, text: formatContextBench(report), checks: report.checks };
  },
  syntax: async ({ quick }, reporter) => {
    const sample = quick ? quickSample : defaultSample;
    const packages = quick ? quickPackages : [];
    const report = await benchSyntax({ sample, packages, ...ownParts(reporter) });
    return { report, text: formatSyntaxBench(report), checks: report.checks };
  },
  "context-scale": async (_, reporter) => {
    const report = await benchContextScale(ownParts(reporter));
    return { report, text: formatContextScale(report), checks: [] };
  },
};

/** Servers that `server` starts in processes of their own; `inference` starts the relay. */
const targets = { "target-instant": listenInstant, "target-bare": listenBare } as const;

/** Runs a suite or `all`; tables go to stdout, progress to stderr. */
export async function benchCommand(options: BenchOptions): Promise<ExitCode> {
  const { what } = options;
  if (what === "target-instant" || what === "target-bare") {
    await serveTarget(targets[what]);
    return 0;
  }
  if (what.startsWith(RELAY_TARGET)) {
    await serveTarget(() => listenRelay(what.slice(RELAY_TARGET.length)));
    return 0;
  }
  const usual = benchSuites.filter(({ isUsual }) => isUsual).map(({ name }) => name);
  const names = what === "all" ? usual : [what];
  const results: Record<string, SuiteResult> = {};
  for (const name of names) {
    const suite = suiteNamed(name);
    const progress = createProgress(`bench ${name}`, process.stderr);
    const reporter: BenchReporter = {
      progress: ({ label, done, total }) => progress.update(done, total, label),
      note: (text) => progress.update(0, 0, text),
    };
    try {
      results[name] = await suite(options, reporter);
    } finally {
      progress.finish(null);
    }
    if (!options.json) process.stdout.write(`## ${name}\n\n${results[name].text}\n\n`);
  }
  if (options.json) {
    const reports = Object.entries(results).map(([name, { report }]) => [name, report]);
    const single = what === "all" ? Object.fromEntries(reports) : results[what]?.report;
    process.stdout.write(`${JSON.stringify(single, null, 2)}\n`);
  }
  const missing = Object.values(results).flatMap((result) => result.missing ?? []);
  if (missing.length > 0) {
    process.stderr.write(`midspan: not run: ${missing.join(", ")}; the report says why\n`);
    return 1;
  }
  const missed = Object.values(results).flatMap(({ checks }) =>
    checks.filter((check) => !isReached(check)),
  );
  return options.strict && missed.length > 0 ? 1 : 0;
}

function suiteNamed(name: string): Suite {
  const found = benchSuites.find((suite) => suite.name === name);
  if (found !== undefined) return suites[found.name];
  const known = ["all", ...benchSuites.map((suite) => suite.name)].join(", ");
  throw new UsageError(`there is no bench ${JSON.stringify(name)}; there are ${known}`);
}

async function benchLocal(options: BenchOptions, reporter: BenchReporter): Promise<SuiteResult> {
  const { quick, svg } = options;
  const report = await runLocalModelBench({
    ...(quick ? quickSample : defaultSample),
    packages: quick ? quickPackages : [],
    corpusFolder: corpusFolder(),
    measureScale: quick
      ? null
      : async () => parseScaleReport(await runInOwnProcess(["bench", "scale", "--json"])),
    reporter,
  });
  if (svg !== null) {
    await mkdir(svg, { recursive: true });
    for (const [file, text] of Object.entries(localCharts(report))) {
      await writeFile(join(svg, file), text);
    }
  }
  return { report, text: formatLocalBench(report), checks: report.checks };
}

async function benchScale(_: BenchOptions, reporter: BenchReporter): Promise<SuiteResult> {
  const options = { ...defaultSample, corpusFolder: corpusFolder(), reporter };
  const report = await measureScale(options);
  return { report, text: formatScale(report), checks: scaleChecks(report) };
}

async function benchPolicy(options: BenchOptions, reporter: BenchReporter): Promise<SuiteResult> {
  const report = await runPolicyBench({
    ...defaultPolicySample,
    seed: defaultSample.seed,
    packages: options.quick ? quickPackages : [],
    corpusFolder: corpusFolder(),
    reporter,
  });
  return written(report, policyReport(report));
}

async function benchEngine(_: BenchOptions, reporter: BenchReporter): Promise<SuiteResult> {
  const report = await runEngineBench({
    ...defaultEngineLoad,
    corpusFolder: corpusFolder(),
    createEngine: createBenchEngine,
    reporter,
  });
  return written(report, engineReport(report));
}

async function benchServer(_: BenchOptions, reporter: BenchReporter): Promise<SuiteResult> {
  const report = await runServerBench({
    ...defaultServerLoad,
    startServer: () => startTarget(["bench", "target-instant"]),
    startBare: () => startTarget(["bench", "target-bare"]),
    reporter,
  });
  return written(report, serverReport(report));
}

/** Not part of `all`: it needs llama-server and two models. */
async function benchModelServer(
  options: BenchOptions,
  reporter: BenchReporter,
): Promise<SuiteResult> {
  const report = await benchInference(options, { corpusFolder: corpusFolder(), reporter });
  return { report, text: formatInferenceBench(report), checks: report.checks };
}

async function benchEmbeddedEngine(
  { quick }: BenchOptions,
  reporter: BenchReporter,
): Promise<SuiteResult> {
  const folders = ownFolders();
  const report = await benchSpeculation({
    quick,
    corpusFolder: corpusFolder(),
    folders,
    reporter,
  });
  return { report, text: formatSpeculationBench(report), checks: report.checks };
}

function ownParts(reporter: BenchReporter): {
  readonly corpusFolder: string;
  readonly reporter: BenchReporter;
} {
  return { corpusFolder: corpusFolder(), reporter };
}

async function reported(result: Promise<ModelBenchResult>): Promise<SuiteResult> {
  const { report, missing } = await result;
  return { ...written(report, report), missing };
}

/** What was measured as it is, and as a page for a person. */
function written(report: unknown, page: Report): SuiteResult {
  return { report, text: renderMarkdown(page, { pictureOf: () => null }), checks: page.checks };
}
