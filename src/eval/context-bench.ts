/** The bench of context: recall by source, stability while typing, and the cost of a million lines. */

import type { SnippetKind } from "../core/index.ts";
import { createRandom } from "../stats/random.ts";
import {
  type BenchCheck,
  type BenchReporter,
  formatChecks,
  formatTable,
  percent,
} from "./bench-report.ts";
import { crossFileCursors, measureRecall, type RecallRow } from "./context-recall.ts";
import type { ContextScaleReport, Cost } from "./context-scale.ts";
import { measureStability, type StabilityReport } from "./context-stability.ts";
import type { ContextParts } from "./context-world.ts";
import { judgedPackages, loadCorpus } from "./corpus.ts";

export interface ContextBenchOptions {
  /** Names of judged packages; empty: all. */
  readonly packages: readonly string[];
  /** Places per package. */
  readonly cursors: number;
  readonly keys: number;
  readonly seed: number;
  readonly corpusFolder: string;
  readonly parts: ContextParts;
  /** The large part, in a process of its own; `null` leaves it out. */
  readonly measureScale: (() => Promise<ContextScaleReport>) | null;
  readonly reporter: BenchReporter;
}

export interface ContextBenchReport {
  readonly packages: readonly {
    readonly name: string;
    readonly recall: readonly RecallRow[];
    readonly stability: StabilityReport;
  }[];
  readonly scale: ContextScaleReport | null;
  readonly checks: readonly BenchCheck[];
}

export const defaultContextLoad = { cursors: 200, keys: 2_000, seed: 1 } as const;

const all: readonly SnippetKind[] = ["head", "import", "definition", "similar", "search"];

/** None, each source alone, all, and all but each. */
const choices: readonly (readonly SnippetKind[])[] = [
  [],
  ...all.map((kind) => [kind]),
  all,
  ...all.map((kind) => all.filter((other) => other !== kind)),
];

/** Runs all of it. Throws `CorpusUnavailableError`. */
export async function runContextBench(options: ContextBenchOptions): Promise<ContextBenchReport> {
  const { packages, parts, cursors: count, keys, corpusFolder, reporter } = options;
  const wanted = judgedPackages.filter(
    ({ name }) => packages.length === 0 || packages.includes(name),
  );
  const results: ContextBenchReport["packages"][number][] = [];
  for (const [done, corpusPackage] of wanted.entries()) {
    const random = createRandom(options.seed);
    reporter.progress({ label: corpusPackage.name, done, total: wanted.length });
    const { files } = await loadCorpus(corpusPackage, { folder: corpusFolder });
    const world = await parts.createWorld(files);
    const cursors = crossFileCursors(files, { world, count, random });
    results.push({
      name: `${corpusPackage.name} ${corpusPackage.version}`,
      recall: await measureRecall(files, cursors, { world, choices }),
      stability: await measureStability(files, { world, parts, keys, random }),
    });
  }
  const scale = options.measureScale === null ? null : await options.measureScale();
  return { packages: results, scale, checks: checksOf(results, scale) };
}

/** Tables for a terminal, which are Markdown too. */
export function formatContextBench({ packages, scale, checks }: ContextBenchReport): string {
  const tables = packages.map(({ name, recall, stability }) => {
    const rows = recall.map((row) => [
      nameOf(row.kinds),
      String(row.names),
      percent(row.found / row.names),
      row.tokens.toFixed(0),
    ]);
    const table = formatTable(["sources", "names", "recall %", "tokens"], rows);
    const { keys, tokensPerKey, changes, changesInWords } = stability;
    return (
      `### ${name}\n\n${table}\n\n${keys} keys: ${tokensPerKey.toFixed(2)} new prompt tokens ` +
      `per key by snippets, ${changes} changes, ${changesInWords} within words`
    );
  });
  return [...tables, ...(scale === null ? [] : [formatScale(scale)]), formatChecks(checks)].join(
    "\n\n",
  );
}

/** One table of the large part. */
export function formatScale(scale: ContextScaleReport): string {
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 3 : 1)} s`;
  const both = ({ ms, cpuMs }: Cost): string => `${seconds(ms)}, ${seconds(cpuMs)}`;
  const query = scale.queryCpuMs;
  const { idle, indexing } = scale.typing;
  return formatTable(
    ["a million lines", ""],
    [
      ["files, lines", `${scale.files}, ${scale.lines}`],
      ["source", megabytes(scale.sourceBytes)],
      ["index from nothing, wall and CPU", both(scale.cold)],
      ["index from the store, wall and CPU", both(scale.warm)],
      ["a saved file, wall and CPU", both(scale.savedFile)],
      ["memory", megabytes(scale.memoryBytes)],
      ["symbols on disk", megabytes(scale.symbolBytes)],
      ["query CPU p50, p95", `${query.p50.toFixed(2)}, ${query.p95.toFixed(2)} ms`],
      [
        "key press p95, idle and while indexing",
        `${idle.ms.toFixed(1)}, ${indexing.ms.toFixed(1)} ms`,
      ],
      [
        "its CPU time on the main thread",
        `${idle.cpuMs.toFixed(2)}, ${indexing.cpuMs.toFixed(2)} ms`,
      ],
    ],
  );
}

function nameOf(kinds: readonly SnippetKind[]): string {
  if (kinds.length === 0) return "none";
  if (kinds.length === all.length) return "all";
  const missing = all.find((kind) => !kinds.includes(kind));
  return kinds.length === 1 ? kinds.join() : `all but ${missing}`;
}

function checksOf(
  packages: ContextBenchReport["packages"],
  scale: ContextScaleReport | null,
): readonly BenchCheck[] {
  const atMost = (name: string, value: number, goal: number, unit = ""): BenchCheck => ({
    ...{ name, value, unit },
    goal: { kind: "at-most", value: goal },
  });
  const worst = (of: (stability: StabilityReport) => number): number =>
    Math.max(...packages.map(({ stability }) => of(stability)));
  return [
    atMost(
      "new prompt tokens per key",
      worst(({ tokensPerKey }) => tokensPerKey),
      5,
    ),
    atMost(
      "changes within words",
      worst(({ changesInWords }) => changesInWords),
      0,
    ),
    ...(scale === null
      ? []
      : [
          atMost("index from nothing", scale.cold.ms / 1000, 60, " s"),
          atMost("index from the store", scale.warm.ms / 1000, 2, " s"),
          atMost("a saved file", scale.savedFile.ms, 50, " ms"),
          atMost("memory", scale.memoryBytes / 1e6, 400, " MB"),
          atMost("symbols on disk", scale.symbolBytes / scale.sourceBytes, 1),
          atMost("query p50", scale.queryCpuMs.p50, 3, " ms"),
          atMost("query p95", scale.queryCpuMs.p95, 10, " ms"),
          atMost("typing while indexing", scale.typing.indexing.ms / scale.typing.idle.ms, 2),
        ]),
  ];
}
