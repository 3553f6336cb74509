/** `midspan bench local`: the local model on open packages, beside a plain n-gram model. */
import {
  type BenchCheck,
  type BenchReporter,
  formatChecks,
  formatNumber,
  formatTable,
  percent,
} from "./bench-report.ts";
import { CorpusUnavailableError, judgedPackages, loadCorpus } from "./corpus.ts";
import type { SampleOptions } from "./held-out-sample.ts";
import type { LineQuality } from "./line-quality.ts";
import { judgePackage, type PackageQuality } from "./local-quality.ts";
import { type ScaleReport, scaleChecks } from "./local-scale.ts";
import { cpuMs, describeMachine, type Machine, machineLine } from "./machine.ts";

export interface LocalBenchOptions extends SampleOptions {
  /** Where unpacked packages are kept. */
  readonly corpusFolder: string;
  /** Names of judged packages; empty for all of them. */
  readonly packages: readonly string[];
  /** Measures the large corpus, best in a process of its own; `null` leaves it out. */
  readonly measureScale: (() => Promise<ScaleReport>) | null;
  readonly reporter: BenchReporter;
}

export interface LocalBenchReport {
  readonly machine: Machine;
  readonly sample: SampleOptions;
  readonly packages: readonly PackageQuality[];
  /** Packages that could not be had, with the reason. */
  readonly missing: readonly string[];
  readonly scale: ScaleReport | null;
  readonly checks: readonly BenchCheck[];
  /** CPU time of this process for the judging. */
  readonly cpuMs: number;
}

/** The threshold that the goals are stated for. */
const GOAL_THRESHOLD = 0.25;
const GOAL_PRECISION = 0.65;
const GOAL_COVERAGE = 0.25;
const GOAL_PACKAGES = 3;

/** Runs everything. Throws `RangeError` for a package that is not judged. */
export async function runLocalModelBench(options: LocalBenchOptions): Promise<LocalBenchReport> {
  const { corpusFolder, reporter, heldOutFiles, cursors, seed } = options;
  const machine = describeMachine();
  const chosen = judgedPackages.filter(
    ({ name }) => options.packages.length === 0 || options.packages.includes(name),
  );
  const unknown = options.packages.find((name) => !chosen.some((one) => one.name === name));
  if (unknown !== undefined) {
    const known = judgedPackages.map(({ name }) => name).join(", ");
    throw new RangeError(`no judged package is called ${unknown}; there are ${known}`);
  }
  const scale = options.measureScale === null ? null : await options.measureScale();
  const cpuBefore = cpuMs();
  const packages: PackageQuality[] = [];
  const missing: string[] = [];
  for (const one of chosen) {
    reporter.note(`judging ${one.name} ${one.version}`);
    try {
      const corpus = await loadCorpus(one, { folder: corpusFolder });
      packages.push(judgePackage(corpus, options));
    } catch (error) {
      if (!(error instanceof CorpusUnavailableError)) throw error;
      missing.push(`${one.name}: ${error.message}`);
    }
  }
  const checks = [...qualityChecks(packages), ...(scale === null ? [] : scaleChecks(scale))];
  const sample = { heldOutFiles, cursors, seed };
  return { machine, sample, packages, missing, scale, checks, cpuMs: cpuMs(cpuBefore) };
}

/** Tables for a person; they are Markdown as well. */
export function formatLocalBench(report: LocalBenchReport): string {
  const { machine, sample, packages, missing, scale, checks } = report;
  const parts = [
    machineLine(machine),
    `${sample.heldOutFiles} held-out files and ${sample.cursors} cursors per package, seed ${sample.seed}, ` +
      `CPU ${formatNumber(report.cpuMs / 1_000)} s`,
    "Exact match of the rest of the line, in percent; n-gram: a plain back-off model on the same questions.",
    accuracyTable(packages),
    "Shown and right at each threshold, in percent (precision / share of cursors shown).",
    thresholdTable(packages),
    "Parts of lines at the default threshold, where no whole rest is shown.",
    partTable(packages),
    "Cost.",
    costTable(packages),
  ];
  if (missing.length > 0) parts.push(`Not judged: ${missing.join("; ")}.`);
  if (scale !== null) parts.push(formatScale(scale));
  parts.push(formatChecks(checks));
  return parts.join("\n\n");
}

/** The large corpus for a person. */
export function formatScale(scale: ScaleReport): string {
  const rows = [
    ["code", `${formatNumber(scale.codeBytes / 1e6)} MB in ${scale.files} files`],
    ["tokens", `${formatNumber(scale.tokens / 1e6)} million`],
    ["build", costText(scale.build)],
    ["first answer", costText(scale.firstAnswer)],
    [
      "memory",
      `${formatNumber(scale.memoryBytes / 1e6)} MB, ` +
        `${formatNumber(scale.memoryBytes / scale.codeBytes)} bytes per byte of code`,
    ],
    [
      `query (${scale.queries})`,
      `p50 ${formatNumber(scale.queryMs.p50)} ms, p95 ${formatNumber(scale.queryMs.p95)} ms, ` +
        `max ${formatNumber(scale.queryMs.max)} ms, CPU ${formatNumber(scale.queryCpuMs)} ms`,
    ],
  ];
  return `Large corpus: ${scale.packages.join(", ")}.\n\n${formatTable(["large corpus", ""], rows)}`;
}

function qualityChecks(packages: readonly PackageQuality[]): readonly BenchCheck[] {
  const checks: BenchCheck[] = packages.flatMap(({ name, local, gain, parts }) => [
    {
      name: `${name}, exact match above the n-gram (low end of 95 %)`,
      value: gain.low * 100,
      goal: { kind: "at-least", value: 0 },
      unit: " points",
    },
    {
      name: `${name}, calibration error`,
      value: local.calibrationError,
      goal: { kind: "at-most", value: 0.05 },
      unit: "",
    },
    {
      name: `${name}, calibration error of parts`,
      value: parts.calibrationError,
      goal: { kind: "at-most", value: 0.05 },
      unit: "",
    },
  ]);
  const good = packages.filter(({ local }) => isGoodAtThreshold(local)).length;
  if (packages.length >= GOAL_PACKAGES) {
    checks.push({
      name: "packages with precision ≥ 65 % and ≥ 25 % shown at threshold 0.25",
      value: good,
      goal: { kind: "at-least", value: GOAL_PACKAGES },
      unit: "",
    });
  }
  return checks;
}

function isGoodAtThreshold({ curve }: LineQuality): boolean {
  const point = curve.find(({ threshold }) => threshold === GOAL_THRESHOLD);
  return (
    point !== undefined && point.precision >= GOAL_PRECISION && point.coverage >= GOAL_COVERAGE
  );
}

function accuracyTable(packages: readonly PackageQuality[]): string {
  const head = [
    "package",
    "language",
    "cursors",
    "start",
    "middle",
    "word",
    "all",
    "n-gram",
    "ratio",
    "gain (95 %)",
    "best possible",
    "similarity",
    "calibration error",
    "by luck",
  ];
  const rows = packages.map(({ name, version, languageId, local, baseline, gain }) => [
    `${name} ${version}`,
    languageId,
    String(local.questions),
    percent(local.exactMatch.start),
    percent(local.exactMatch.middle),
    percent(local.exactMatch.word),
    percent(local.exactMatch.all),
    percent(baseline.exactMatch.all),
    formatNumber(local.exactMatch.all / baseline.exactMatch.all),
    `${percent(gain.low)}–${percent(gain.high)}`,
    percent(local.reachable),
    percent(local.editSimilarity),
    local.calibrationError.toFixed(3),
    local.calibrationByLuck.toFixed(3),
  ]);
  return formatTable(head, rows);
}

function thresholdTable(packages: readonly PackageQuality[]): string {
  const thresholds = packages[0]?.local.curve.map(({ threshold }) => String(threshold)) ?? [];
  const rows = packages.map(({ name, local }) => [
    name,
    ...local.curve.map(({ precision, coverage }) => `${percent(precision)} / ${percent(coverage)}`),
  ]);
  return formatTable(["package", ...thresholds], rows);
}

function partTable(packages: readonly PackageQuality[]): string {
  const head = [
    "package",
    "rests shown",
    "parts shown besides",
    "of these right",
    "characters of a right one",
    "calibration error",
  ];
  const rows = packages.map(({ name, parts }) => [
    name,
    percent(parts.restCoverage),
    percent(parts.coverage),
    percent(parts.precision),
    parts.units.toFixed(1),
    parts.calibrationError.toFixed(3),
  ]);
  return formatTable(head, rows);
}

function costTable(packages: readonly PackageQuality[]): string {
  const head = [
    "package",
    "files",
    "held out",
    "near copies",
    "code MB",
    "query p50 ms",
    "p95 ms",
    "CPU ms",
  ];
  const rows = packages.map((one) => [
    one.name,
    String(one.files),
    String(one.heldOutFiles),
    String(one.leftOutFiles),
    formatNumber(one.codeBytes / 1e6),
    formatNumber(one.queryMs.p50),
    formatNumber(one.queryMs.p95),
    formatNumber(one.queryCpuMs),
  ]);
  return formatTable(head, rows);
}

function costText({ ms, cpuMs: cpu }: { readonly ms: number; readonly cpuMs: number }): string {
  return `${formatNumber(ms / 1_000)} s, CPU ${formatNumber(cpu / 1_000)} s`;
}
