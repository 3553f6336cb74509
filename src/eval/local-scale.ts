/**
 * The local model on a large corpus: build time, time to the first answer, memory, time of a query.
 * Run it in a process of its own (`midspan bench scale`): memory is the growth of the whole process.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { present } from "../base/assert.ts";
import { IndexBuilder, type LocalIndex, LocalModel } from "../local/index.ts";
import { createRandom } from "../stats/random.ts";
import { percentile } from "../stats/summary.ts";
import type { BenchCheck, BenchReporter } from "./bench-report.ts";
import { sampleCursors } from "./cursor-sample.ts";
import type { SampleOptions } from "./held-out-sample.ts";
import { addFile, documentAt, indexFiles, openFiles } from "./index-files.ts";
import { loadLargeCorpus } from "./large-corpus.ts";
import { cpuMs } from "./machine.ts";
import type { SourceFile } from "./source-file.ts";

/** Wall time and CPU time of all threads; both in milliseconds. */
export interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

/** The figures of the large corpus. */
export interface ScaleReport {
  /** Names and versions. */
  readonly packages: readonly string[];
  readonly files: number;
  readonly codeBytes: number;
  readonly tokens: number;
  readonly build: Cost;
  /** From nothing to an answer from the first files. */
  readonly firstAnswer: Cost;
  /** Growth of the resident memory, from before the files were read to after the build, collected. */
  readonly memoryBytes: number;
  readonly queries: number;
  readonly queryMs: { readonly p50: number; readonly p95: number; readonly max: number };
  readonly queryCpuMs: number;
}

/** Code to index: what the goals are stated for. */
const CODE_BYTES = 20_000_000;
/** Code of the files that the first answer comes from; the index is built again when all are in. */
const FIRST_BYTES = 500_000;

/** Measures. Call it in a fresh process, before anything else has grown the heap. */
export async function measureScale(
  options: SampleOptions & { readonly corpusFolder: string; readonly reporter: BenchReporter },
): Promise<ScaleReport> {
  const { corpusFolder, reporter, seed } = options;
  const residentBefore = residentBytes();
  const random = createRandom(seed);
  const step = (label: string, done: number): void => reporter.progress({ label, done, total: 5 });

  step("reading the large corpus", 0);
  // Only what the queries need outlives the build, or the texts would count as memory of the index.
  const { packages, index, heldOut, build, firstAnswer } = await (async () => {
    const corpus = await loadLargeCorpus({ corpusFolder, note: reporter.note });
    const files = random.shuffled(corpus.files);
    const long = files.filter((file) => file.text.length > 2_000);
    const held = long.slice(0, options.heldOutFiles);
    const rest = upTo(
      files.filter((file) => !held.includes(file)),
      CODE_BYTES,
    );
    step("first answer", 1);
    const first = measure(() => answerFrom(upTo(rest, FIRST_BYTES)));
    step("building", 2);
    const all = measure(() => indexFiles(rest));
    const { packages: names } = corpus;
    return {
      packages: names,
      index: all.result,
      heldOut: held,
      build: all.cost,
      firstAnswer: first.cost,
    };
  })();
  step("memory", 3);
  const memoryBytes = residentBytes() - residentBefore;
  step("queries", 4);
  const queries = measureQueries(index, heldOut, options);
  step("queries", 5);
  return {
    packages,
    files: index.files.length,
    codeBytes: index.codeBytes,
    tokens: index.tokens.length,
    build,
    firstAnswer,
    memoryBytes,
    ...queries,
  };
}

/** The goals. Build time and memory are stated per size of the code. */
export function scaleChecks(report: ScaleReport): readonly BenchCheck[] {
  const megabytes = report.codeBytes / 1e6;
  const atMost = (name: string, value: number, goal: number, unit: string): BenchCheck => ({
    name,
    value,
    goal: { kind: "at-most", value: goal },
    unit,
  });
  return [
    {
      name: "large corpus, code",
      value: megabytes,
      goal: { kind: "at-least", value: 20 },
      unit: " MB",
    },
    atMost("large corpus, build (CPU)", report.build.cpuMs / 1_000, (12 * megabytes) / 20, " s"),
    atMost("large corpus, first answer", report.firstAnswer.ms / 1_000, 1, " s"),
    atMost("large corpus, memory", report.memoryBytes / 1e6, 3 * megabytes + 60, " MB"),
    atMost("large corpus, query p95", report.queryMs.p95, 8, " ms"),
  ];
}

/** The first files that together have `bytes` of code; all when they have less. */
function upTo(files: readonly SourceFile[], bytes: number): readonly SourceFile[] {
  let sum = 0;
  const end = files.findIndex((file) => {
    sum += Buffer.byteLength(file.text);
    return sum >= bytes;
  });
  return end < 0 ? files : files.slice(0, end + 1);
}

function answerFrom(files: readonly SourceFile[]): void {
  const builder = new IndexBuilder();
  for (const file of files) addFile(builder, file);
  const model = new LocalModel();
  model.adopt(builder.build());
  const first = present(files[0], "a file of the large corpus");
  openFiles(model, [first]);
}

function measureQueries(
  index: LocalIndex,
  heldOut: readonly SourceFile[],
  options: SampleOptions,
): Pick<ScaleReport, "queries" | "queryMs" | "queryCpuMs"> {
  const model = new LocalModel();
  model.adopt(index);
  const documents = openFiles(model, heldOut);
  const random = createRandom(options.seed);
  const cursors = sampleCursors(heldOut, { count: options.cursors, random });
  const times: number[] = [];
  const cpuBefore = cpuMs();
  for (const cursor of cursors) {
    const { file, offset } = cursor;
    const document = documentAt(cursor, present(documents.get(file), file.path));
    const { path, languageId } = file;
    const before = performance.now();
    model.complete({ document, offset, path, languageId, maxLines: 1, maxCandidates: 3 });
    times.push(performance.now() - before);
  }
  return {
    queries: times.length,
    queryMs: {
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      max: percentile(times, 1),
    },
    queryCpuMs: cpuMs(cpuBefore) / times.length,
  };
}

function measure<T>(work: () => T): { readonly result: T; readonly cost: Cost } {
  const cpuBefore = cpuMs();
  const before = performance.now();
  const result = work();
  return { result, cost: { ms: performance.now() - before, cpuMs: cpuMs(cpuBefore) } };
}

/** Resident memory after two full collections; the second frees what the first made unreachable. */
function residentBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") {
    collect();
    collect();
  }
  return process.memoryUsage.rss();
}

/** What another process printed as JSON, checked; `TypeError` when it is no such report. */
export function parseScaleReport(json: unknown): ScaleReport {
  if (!isScaleReport(json)) throw new TypeError("the bench of the large corpus printed no report");
  return json;
}

function isScaleReport(json: unknown): json is ScaleReport {
  return (
    typeof json === "object" &&
    json !== null &&
    "packages" in json &&
    Array.isArray(json.packages) &&
    "memoryBytes" in json &&
    typeof json.memoryBytes === "number" &&
    "queryMs" in json
  );
}
