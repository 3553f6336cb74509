/**
 * `midspan bench engine`: the whole way of a key press inside the engine with the local model only,
 * in a long file of a large repository; what a ten times longer file costs; and what typing along a
 * shown text costs.
 */
import { present } from "../base/assert.ts";
import type { Backend } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import { LocalModel } from "../local/index.ts";
import { createRandom } from "../stats/random.ts";
import { type BenchReporter, formatNumber } from "./bench-report.ts";
import { sampleCursors } from "./cursor-sample.ts";
import { indexFiles } from "./index-files.ts";
import { InstantBackend } from "./instant-backend.ts";
import { loadLargeCorpus } from "./large-corpus.ts";
import { describeMachine, type Machine, machineLine } from "./machine.ts";
import { numberColumn, paragraph, type Report, type ReportCheck } from "./report/report.ts";
import type { SourceFile } from "./source-file.ts";
import {
  type KeyTimes,
  type TypeThroughTimes,
  type TypingPlaces,
  timeKeys,
  timeTypeThrough,
} from "./typing-times.ts";

/** What an engine of the bench is made of; exactly one of them is there. */
export interface EngineParts {
  readonly local: LocalModel | null;
  readonly backend: Backend | null;
}

export interface EngineBenchOptions {
  readonly corpusFolder: string;
  /** Puts an engine together with the product's settings. */
  readonly createEngine: (parts: EngineParts) => Engine;
  /** Places in the file at which some characters are typed. */
  readonly cursors: number;
  readonly seed: number;
  readonly reporter: BenchReporter;
}

export interface EngineBenchReport {
  readonly machine: Machine;
  /** Names and versions of the packages that the repository is made of. */
  readonly packages: readonly string[];
  readonly repositoryFiles: number;
  readonly repositoryBytes: number;
  /** The same places in files of growing length. */
  readonly keyTimes: readonly KeyTimes[];
  readonly typeThrough: TypeThroughTimes;
  readonly checks: readonly ReportCheck[];
}

/** The usual sizes of `midspan bench engine`. */
export const defaultEngineLoad = { cursors: 300, seed: 1 } as const;

const REPOSITORY_FILES = 5_000;
/** Lengths of the file in lines, as far as the corpus reaches; the goals are for `GOAL_LINES`. */
const FILE_LINES = [1_000, 10_000, 100_000] as const;
const GOAL_LINES = 10_000;
/** Lines in the middle of the file that are the same for every length: the keys are typed there. */
const SHARED_LINES = 900;
const ROUNDS = 5;
const LANGUAGE = "typescript";
/** 121 characters, of which 120 are typed. */
const SHOWN =
  "firstAmount + secondAmount + thirdAmount + fourthAmount + fifthAmount + sixthAmount + seventhAmount + eighthAmount + last";

/** Runs everything. */
export async function runEngineBench(options: EngineBenchOptions): Promise<EngineBenchReport> {
  const { corpusFolder, createEngine, cursors, seed, reporter } = options;
  const machine = describeMachine();
  const random = createRandom(seed);
  reporter.note("reading the large corpus");
  const corpus = await loadLargeCorpus({ corpusFolder, note: reporter.note });
  const files = random.shuffled(corpus.files);
  const repository = files.slice(0, REPOSITORY_FILES);
  const local = new LocalModel();
  reporter.note(`indexing ${repository.length} files`);
  const index = indexFiles(repository);
  local.adopt(index);
  const rest = files.slice(REPOSITORY_FILES).filter((file) => file.languageId === LANGUAGE);
  const places = FILE_LINES.map((lines) => longFile(rest, lines, { cursors, seed }));
  const engine = createEngine({ local, backend: null });
  // A first round warms the compiler up, or the shortest file would pay for all.
  await timeKeys(engine, present(places[0], "a file"));
  const keyTimes: KeyTimes[] = [];
  for (const place of places) {
    reporter.progress({ label: "typing", done: keyTimes.length, total: places.length });
    keyTimes.push(await timeKeys(engine, place));
  }
  engine.dispose();
  const backend = new InstantBackend(SHOWN);
  const remote = createEngine({ local: null, backend });
  const before = "const total = ";
  const typed = { engine: remote, backend, before, shown: SHOWN, rounds: ROUNDS };
  const typeThrough = await timeTypeThrough(typed);
  remote.dispose();
  return {
    machine,
    packages: corpus.packages,
    repositoryFiles: repository.length,
    repositoryBytes: index.codeBytes,
    keyTimes,
    typeThrough,
    checks: engineChecks(keyTimes, typeThrough),
  };
}

/** For a person. */
export function engineReport(report: EngineBenchReport): Report {
  const { machine, repositoryFiles, repositoryBytes, keyTimes, typeThrough, checks } = report;
  const table = {
    kind: "table",
    caption:
      `From edit to outcome, local model only, in a repository of ${repositoryFiles} files ` +
      `(${formatNumber(repositoryBytes / 1e6)} MB); the same places in a file of each length.`,
    columns: [
      numberColumn("lines", "count"),
      numberColumn("keys", "count"),
      ...["p50", "p95", "max", "CPU"].map((title) => numberColumn(title, "ms")),
      numberColumn("answered by type-through", "count"),
    ],
    rows: keyTimes.map(({ lines, keys, reusedKeys, p50Ms, p95Ms, maxMs, cpuMs }) => [
      ...[lines, keys, p50Ms, p95Ms, maxMs, cpuMs, reusedKeys],
    ]),
  } as const;
  const typed = paragraph(
    `Typing ${typeThrough.characters} characters of the shown text: ${typeThrough.requests} requests, ` +
      `p50 ${formatNumber(typeThrough.p50Ms)} ms, slowest ${formatNumber(typeThrough.maxMs)} ms.`,
  );
  return {
    title: "What our own code costs a key press",
    lead: "",
    stamps: [{ name: "Machine", value: machineLine(machine) }],
    sections: [{ title: "", blocks: [table, typed] }],
    checks,
  };
}

/** A file of the wanted length whose middle, where the cursors are, does not depend on it. */
function longFile(
  files: readonly SourceFile[],
  lines: number,
  options: { readonly cursors: number; readonly seed: number },
): TypingPlaces {
  const pool = files.flatMap((file) => file.text.split("\n")).slice(0, lines);
  const shared = pool.slice(0, SHARED_LINES);
  const around = pool.slice(SHARED_LINES);
  const above = around.slice(0, around.length >> 1);
  const head = above.map((line) => `${line}\n`).join("");
  const middle = `${shared.join("\n")}\n`;
  const file = { path: "bench.ts", text: middle, languageId: LANGUAGE };
  const random = createRandom(options.seed);
  return {
    text: head + middle + around.slice(above.length).join("\n"),
    languageId: LANGUAGE,
    cursors: sampleCursors([file], { count: options.cursors, random }),
    start: head.length,
  };
}

function engineChecks(
  keyTimes: readonly KeyTimes[],
  typeThrough: TypeThroughTimes,
): readonly ReportCheck[] {
  const atMost = (name: string, value: number, goal: number, unit: string): ReportCheck => ({
    ...{ name, value, unit, noise: 0 },
    goal: { kind: "at-most", value: goal },
  });
  const goal = present(keyTimes[FILE_LINES.indexOf(GOAL_LINES)], "the file of the goals");
  const ratios = keyTimes.slice(1).map((longer, i) => {
    const shorter = present(keyTimes[i], "a shorter file");
    const name = `${longer.lines} lines against ${shorter.lines}, CPU per key`;
    return atMost(name, longer.cpuMs / shorter.cpuMs, 1.3, "×");
  });
  return [
    atMost(`edit to outcome, p50, ${GOAL_LINES} lines`, goal.p50Ms, 10, "ms"),
    atMost(`edit to outcome, p95, ${GOAL_LINES} lines`, goal.p95Ms, 25, "ms"),
    ...ratios,
    atMost("requests while typing a shown text", typeThrough.requests, 0, ""),
    atMost("typing a shown text, slowest key", typeThrough.maxMs, 1, "ms"),
  ];
}
