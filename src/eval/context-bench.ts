/**
 * The bench of context: recall and worth by source, stability while typing, and the cost of a million
 * lines.
 */
import { createRandom } from "../stats/random.ts";
import {
  type BenchCheck,
  type BenchReporter,
  formatChecks,
  formatTable,
  percent,
} from "./bench-report.ts";
import { choiceName, contextChoices } from "./context-choices.ts";
import { headerWays } from "./context-headers.ts";
import { crossFileCursors, measureRecall, type RecallRow } from "./context-recall.ts";
import type { ContextScaleReport, Cost } from "./context-scale.ts";
import { measureStability, type StabilityReport } from "./context-stability.ts";
import type { ContextParts } from "./context-world.ts";
import {
  askEachWay,
  sourceWays,
  type WorthAnswer,
  type WorthModel,
  type WorthPackage,
  type WorthWay,
  worthTexts,
} from "./context-worth.ts";
import { judgedPackages, loadCorpus } from "./corpus.ts";
import { localLine } from "./local-line.ts";
import { type WorthRow, worthRows } from "./source-worth.ts";

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
  /** Whether recall, and worth for the local model, are measured. */
  readonly hasSources: boolean;
  readonly hasStability: boolean;
  /** Judges the lines of a language model; `null` leaves it out. */
  readonly withModel: WithWorthModel | null;
  /** What the language model is asked about. */
  readonly modelTables: readonly ModelTable[];
  readonly reporter: BenchReporter;
}

/** Ways to ask that are held against the first of them. */
export interface ModelTable {
  readonly title: string;
  readonly ways: readonly WorthWay[];
}

export const sourceTable: ModelTable = { title: "Lines by the language model", ways: sourceWays };
export const headerTable: ModelTable = {
  title: "Beginnings of the prompt, without snippets",
  ways: headerWays,
};

/** Starts a model server, and stops it when the work is done. */
export type WithWorthModel = <T>(
  work: (parts: {
    readonly model: WorthModel;
    /** Where answers are kept. */
    readonly file: string;
    readonly minutes: number;
  }) => Promise<T>,
) => Promise<T>;

export interface ContextBenchReport {
  readonly packages: readonly {
    readonly name: string;
    /** Empty where it was not measured. */
    readonly recall: readonly RecallRow[];
    readonly stability: StabilityReport | null;
  }[];
  /** Of all packages: the local model that reads snippets only, and a language model by table. */
  readonly localWorth: readonly WorthRow[];
  readonly modelWorth: readonly { readonly title: string; readonly rows: readonly WorthRow[] }[];
  readonly scale: ContextScaleReport | null;
  readonly checks: readonly BenchCheck[];
}

export const defaultContextLoad = { cursors: 200, keys: 2_000, seed: 1 } as const;

/** Runs all of it. Throws `CorpusUnavailableError`. */
export async function runContextBench(options: ContextBenchOptions): Promise<ContextBenchReport> {
  const { parts, keys, seed, reporter } = options;
  const { hasSources, hasStability, withModel } = options;
  const isPrepared = hasSources || hasStability || withModel !== null;
  const prepared = isPrepared ? await prepare(options) : [];
  const results: ContextBenchReport["packages"][number][] = [];
  const written: WorthAnswer[] = [];
  const judged = hasSources || hasStability ? prepared : [];
  for (const [done, { name, files, world, cursors }] of judged.entries()) {
    reporter.progress({ label: name, done, total: judged.length });
    const recall = await measureRecall(files, cursors, {
      ...{ world, choices: hasSources ? contextChoices : [] },
      onContext: ({ place, kinds, buffer, snippets }) => {
        const { file, offset, target } = place.cursor;
        const text = localLine({ ...file, buffer, offset }, snippets);
        const sources = choiceName(kinds);
        written.push({ package: name, path: file.path, offset, target, sources, text });
      },
    });
    const random = createRandom(seed);
    const stability = hasStability
      ? await measureStability(files, { world, parts, keys, random })
      : null;
    results.push({ name, recall, stability });
  }
  const modelWorth = await askModel(prepared, options);
  const scale = options.measureScale === null ? null : await options.measureScale();
  return {
    packages: results,
    localWorth: worthRows(worthTexts(written), contextChoices.map(choiceName), createRandom(seed)),
    modelWorth,
    scale,
    checks: checksOf(results, scale),
  };
}

async function prepare(options: ContextBenchOptions): Promise<readonly WorthPackage[]> {
  const { packages, parts, cursors: count, corpusFolder, seed, reporter } = options;
  const wanted = judgedPackages.filter(
    ({ name }) => packages.length === 0 || packages.includes(name),
  );
  const prepared: WorthPackage[] = [];
  for (const one of wanted) {
    reporter.note(`reading ${one.name}`);
    const { files } = await loadCorpus(one, { folder: corpusFolder });
    const world = await parts.createWorld(files);
    const cursors = crossFileCursors(files, { world, count, random: createRandom(seed) });
    prepared.push({ name: `${one.name} ${one.version}`, files, world, cursors });
  }
  return prepared;
}

async function askModel(
  prepared: readonly WorthPackage[],
  { withModel, modelTables, reporter, seed }: ContextBenchOptions,
): Promise<ContextBenchReport["modelWorth"]> {
  if (withModel === null || modelTables.length === 0) return [];
  return withModel(async ({ model, file, minutes }) => {
    const untilMs = Date.now() + minutes * 60_000;
    const tables = [];
    for (const { title, ways } of modelTables) {
      const answers = await askEachWay(prepared, {
        ...{ model, ways, file, untilMs },
        onProgress: (done, total) => reporter.progress({ label: title, done, total }),
      });
      const names = ways.map(({ name }) => name);
      tables.push({ title, rows: worthRows(worthTexts(answers), names, createRandom(seed)) });
    }
    return tables;
  });
}

/** Tables for a terminal, which are Markdown too. */
export function formatContextBench(report: ContextBenchReport): string {
  const { packages, localWorth, modelWorth, scale, checks } = report;
  const tables = packages.map(({ name, recall, stability }) => {
    const rows = recall.map((row) => [
      choiceName(row.kinds),
      String(row.names),
      percent(row.found / row.names),
      row.tokens.toFixed(0),
    ]);
    const table = formatTable(["sources", "names", "recall %", "tokens"], rows);
    return [
      `### ${name}`,
      ...(recall.length === 0 ? [] : [table]),
      ...(stability === null ? [] : [stabilityLine(stability)]),
    ].join("\n\n");
  });
  return [
    ...tables,
    ...formatWorth("Lines by the local model that reads snippets only", localWorth),
    ...modelWorth.flatMap(({ title, rows }) => formatWorth(title, rows)),
    ...(scale === null ? [] : [formatScale(scale)]),
    ...(checks.length === 0 ? [] : [formatChecks(checks)]),
  ].join("\n\n");
}

function stabilityLine({ keys, tokensPerKey, changes, changesInWords }: StabilityReport): string {
  return (
    `${keys} keys: ${tokensPerKey.toFixed(2)} new prompt tokens per key by snippets, ` +
    `${changes} changes, ${changesInWords} within words`
  );
}

function formatWorth(title: string, rows: readonly WorthRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const points = ({ difference, low, high }: WorthRow["matchGain"]): string =>
    [difference, low, high].map((share) => (share * 100).toFixed(1)).join(" / ");
  const table = formatTable(
    ["way", "places", "exact %", "gain, low, high", "similarity %", "gain, low, high"],
    rows.map((row, i) => [
      row.sources,
      String(row.places),
      percent(row.exactMatch),
      i === 0 ? "" : points(row.matchGain),
      percent(row.similarity),
      i === 0 ? "" : points(row.similarityGain),
    ]),
  );
  return [`### ${title}`, table];
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

function checksOf(
  packages: ContextBenchReport["packages"],
  scale: ContextScaleReport | null,
): readonly BenchCheck[] {
  const atMost = (name: string, value: number, goal: number, unit = ""): BenchCheck => ({
    ...{ name, value, unit },
    goal: { kind: "at-most", value: goal },
  });
  const measured = packages.flatMap(({ stability }) => (stability === null ? [] : [stability]));
  const worst = (of: (stability: StabilityReport) => number): number =>
    Math.max(...measured.map(of));
  const perKey = ({ tokensPerKey }: StabilityReport): number => tokensPerKey;
  const inWords = ({ changesInWords }: StabilityReport): number => changesInWords;
  return [
    ...(measured.length === 0
      ? []
      : [
          atMost("new prompt tokens per key", worst(perKey), 5),
          atMost("changes within words", worst(inWords), 0),
        ]),
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
