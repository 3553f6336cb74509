/**
 * `midspan bench syntax`: what keeping a tree costs at each key press, and what the syntax check is
 * worth: how many right texts it would hide, and how many wrong ones it does hide.
 */
import { present } from "../base/assert.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { LocalModel } from "../local/index.ts";
import { createRandom, type Random } from "../stats/random.ts";
import { percentile } from "../stats/summary.ts";
import { isExactMatch } from "../stats/text-match.ts";
import {
  type BenchCheck,
  type BenchReporter,
  formatChecks,
  formatNumber,
  formatTable,
  percent,
} from "./bench-report.ts";
import { type Corpus, judgedPackages, loadCorpus } from "./corpus.ts";
import type { SampledCursor } from "./cursor-sample.ts";
import { drawQuestions, type SampleOptions } from "./held-out-sample.ts";
import { documentAt, indexFiles, openFiles } from "./index-files.ts";
import { cpuMs } from "./machine.ts";

/** The parser, as far as the bench needs it. */
export interface SyntaxParts {
  /** Loads the grammar of a language. */
  prepare(languageId: string): Promise<boolean>;
  /** Brings the tree of the document `key` to a version; false when there was no time for it. */
  update(document: BenchCursor): boolean;
  /** Whether a text breaks the syntax at a cursor. */
  breaks(document: BenchCursor, text: string): boolean;
}

/** One version of a document with a cursor. */
export interface BenchCursor {
  readonly key: string;
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly languageId: string;
}

export interface SyntaxBenchOptions extends SampleOptions {
  readonly corpusFolder: string;
  /** Names of judged packages; empty for all of them. */
  readonly packages: readonly string[];
  readonly parts: SyntaxParts;
  readonly reporter: BenchReporter;
}

/** What became of the best text of the local model. Counts. */
export interface CheckCounts {
  readonly package: string;
  /** Rests of lines, and those of them that the check would hide. */
  readonly targets: number;
  readonly hiddenTargets: number;
  /** Texts with a chance of at least 0.25, right and wrong, and those that the check hides. */
  readonly right: number;
  readonly hiddenRight: number;
  readonly wrong: number;
  readonly hiddenWrong: number;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

export interface SyntaxBenchReport {
  /** Lines of the file in which keys are pressed, and key presses. */
  readonly lines: number;
  readonly keys: number;
  readonly keyMs: Percentiles;
  /** The same as CPU time, which other work on the machine disturbs less. */
  readonly keyCpuMs: Percentiles;
  readonly packages: readonly CheckCounts[];
  readonly checks: readonly BenchCheck[];
}

const FILE_LINES = 10_000;
const KEYS = 2_000;
const THRESHOLD = 0.25;

/** Runs both parts. */
export async function runSyntaxBench(options: SyntaxBenchOptions): Promise<SyntaxBenchReport> {
  const { corpusFolder, packages: names, parts, reporter, seed } = options;
  const chosen = judgedPackages.filter(({ name }) => names.length === 0 || names.includes(name));
  const packages: CheckCounts[] = [];
  let typed: Omit<SyntaxBenchReport, "packages" | "checks"> | null = null;
  for (const [done, one] of chosen.entries()) {
    reporter.progress({ label: one.name, done, total: chosen.length });
    const corpus = await loadCorpus(one, { folder: corpusFolder });
    await parts.prepare(one.languageId);
    if (one.languageId === "typescript") typed ??= measureKeys(corpus, parts, createRandom(seed));
    packages.push(countHidden(corpus, options, createRandom(seed)));
  }
  const keys = present(typed, "a TypeScript package among those chosen");
  return { ...keys, packages, checks: checksOf(keys.keyMs, packages) };
}

/** Types lines of a long file again, each at a place of its own. */
function measureKeys(
  corpus: Corpus,
  parts: SyntaxParts,
  random: Random,
): Omit<SyntaxBenchReport, "packages" | "checks"> {
  let lines = 0;
  const texts: string[] = [];
  // Whole files: one that is cut does not parse to its end.
  for (const { text } of corpus.files) {
    if (lines >= FILE_LINES) break;
    texts.push(text);
    lines += text.split("\n").length;
  }
  let buffer = TextBuffer.from(texts.join("\n"));
  const at = { key: "keys", languageId: corpus.package.languageId };
  for (let i = 0; !parts.update({ ...at, buffer, offset: 0 }) && i < 1_000; i++);
  const times: number[] = [];
  const cpuTimes: number[] = [];
  while (times.length < KEYS) {
    const line = random.below(buffer.lineCount);
    const start = buffer.lineStart(line);
    const text = buffer.lineAt(line).replace(/\r?\n$/, "");
    if (text.trim().length < 8) continue;
    buffer = buffer.edit(start, start + text.length, "");
    for (let typed = 0; typed < text.length && times.length < KEYS; typed++) {
      const offset = start + typed + 1;
      const before = performance.now();
      const cpuBefore = cpuMs();
      buffer = buffer.edit(offset - 1, offset - 1, text.charAt(typed));
      parts.update({ ...at, buffer, offset });
      times.push(performance.now() - before);
      cpuTimes.push(cpuMs() - cpuBefore);
    }
  }
  const of = (values: readonly number[]): Percentiles => ({
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
  });
  return { lines: buffer.lineCount, keys: times.length, keyMs: of(times), keyCpuMs: of(cpuTimes) };
}

function countHidden(corpus: Corpus, options: SyntaxBenchOptions, random: Random): CheckCounts {
  const counts = {
    targets: 0,
    hiddenTargets: 0,
    right: 0,
    hiddenRight: 0,
    wrong: 0,
    hiddenWrong: 0,
  };
  for (const { split, cursors } of drawQuestions(corpus.files, { ...options, random })) {
    const model = new LocalModel();
    model.adopt(indexFiles(split.indexed));
    const documents = openFiles(model, split.heldOut);
    for (const cursor of cursors) {
      const { file, offset, target } = cursor;
      const buffer = documentAt(cursor, present(documents.get(file), file.path));
      const place = { key: file.path, buffer, offset, languageId: file.languageId };
      parseWhole(options.parts, place);
      counts.targets++;
      if (options.parts.breaks(place, target)) {
        counts.hiddenTargets++;
        options.reporter.note(`${file.path}:${offset} ${JSON.stringify(target)}`);
      }
      const best = bestText(model, cursor, buffer);
      if (best === null) continue;
      const isHidden = options.parts.breaks(place, best);
      if (isExactMatch(best, target)) {
        counts.right++;
        if (isHidden) counts.hiddenRight++;
      } else {
        counts.wrong++;
        if (isHidden) counts.hiddenWrong++;
      }
    }
  }
  return { package: corpus.package.name, ...counts };
}

/** A first parse of a long file is given up after a few milliseconds; here it is waited for. */
function parseWhole(parts: SyntaxParts, place: BenchCursor): void {
  for (let i = 0; !parts.update(place) && i < 1_000; i++);
}

/** The local model's best text for the rest of the line, where it is sure enough to be shown. */
function bestText(
  model: LocalModel,
  { file, offset }: SampledCursor,
  document: TextBuffer,
): string | null {
  const { path, languageId } = file;
  const query = { document, offset, path, languageId, maxLines: 1, maxCandidates: 1 };
  const [best] = model.complete(query);
  return best === undefined || best.chance < THRESHOLD ? null : best.text;
}

function checksOf(
  keyMs: SyntaxBenchReport["keyMs"],
  packages: readonly CheckCounts[],
): readonly BenchCheck[] {
  const sum = (of: (counts: CheckCounts) => number): number =>
    packages.reduce((total, counts) => total + of(counts), 0);
  const hidden = (100 * sum((one) => one.hiddenTargets)) / sum((one) => one.targets);
  const atMost = (name: string, value: number, goal: number, unit: string): BenchCheck => ({
    name,
    value,
    goal: { kind: "at-most", value: goal },
    unit,
  });
  return [
    atMost("edit + reparse in 10,000 lines, p50", keyMs.p50, 1, " ms"),
    atMost("edit + reparse in 10,000 lines, p95", keyMs.p95, 4, " ms"),
    atMost("right rests of lines that the check would hide", hidden, 0.5, " %"),
  ];
}

/** The tables, for a person. */
export function formatSyntaxBench(report: SyntaxBenchReport): string {
  const share = (part: number, whole: number): string =>
    whole === 0 ? "–" : `${percent(part / whole)} (${part} of ${whole})`;
  const rows = report.packages.map((one) => [
    one.package,
    share(one.hiddenTargets, one.targets),
    share(one.hiddenRight, one.right),
    share(one.hiddenWrong, one.wrong),
  ]);
  const { keyMs, keyCpuMs } = report;
  const pair = ({ p50, p95 }: Percentiles): string =>
    `${formatNumber(p50)} ms (p50) and ${formatNumber(p95)} ms (p95)`;
  return [
    `${report.keys} key presses in a file of ${report.lines} lines: edit and reparse take ` +
      `${pair(keyMs)}, of which the processor works ${pair(keyCpuMs)}.`,
    "What the syntax check hides, in percent: of the rests of lines as they stand in held-out files, " +
      "and of the local model's best texts with a chance of at least 0.25.",
    formatTable(["package", "rests of lines", "right texts", "wrong texts"], rows),
    formatChecks(report.checks),
  ].join("\n\n");
}
