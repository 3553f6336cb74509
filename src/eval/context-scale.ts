/**
 * The symbols of a million lines: time from nothing and from a store, memory, disk, a saved file, a query,
 * and what a person who types meanwhile notices. Run it in a process of its own: memory is the growth of
 * the whole process, the index of the local model included.
 */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TextBuffer } from "../base/text-buffer.ts";
import type { ContextSource } from "../core/index.ts";
import { requestFor } from "../engine/index.ts";
import { createRandom } from "../stats/random.ts";
import { percentile } from "../stats/summary.ts";
import type { BenchReporter } from "./bench-report.ts";
import type { ContextParts } from "./context-world.ts";
import { sampleCursors } from "./cursor-sample.ts";
import { loadLargeCorpus } from "./large-corpus.ts";
import { RecordingBackend } from "./recording-backend.ts";
import type { SourceFile } from "./source-file.ts";

/** Wall time and CPU time of all threads. */
export interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

/** 95th percentiles of a key press: wall, and CPU of the main thread alone (`NaN` but on Linux). */
export interface TypingCost {
  readonly ms: number;
  readonly cpuMs: number;
}

/** A workspace on disk, indexed as `serve` does. */
export interface OpenedWorkspace {
  readonly source: ContextSource;
  /** Resolves when everything is indexed. */
  readonly ready: Promise<void>;
  /** A file was saved; resolves when the new state is in use. */
  save(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

export interface ScaleParts extends Pick<ContextParts, "createEngine"> {
  openWorkspace(folder: string, cacheFolder: string): Promise<OpenedWorkspace>;
}

/** The figures. */
export interface ContextScaleReport {
  readonly files: number;
  readonly lines: number;
  readonly sourceBytes: number;
  readonly cold: Cost;
  readonly warm: Cost;
  /** The middle one of twenty. */
  readonly savedFile: Cost;
  readonly memoryBytes: number;
  readonly symbolBytes: number;
  readonly queries: number;
  /** CPU time: the machine may be busy, and a query waits for nothing. */
  readonly queryCpuMs: { readonly p50: number; readonly p95: number; readonly max: number };
  readonly typing: { readonly idle: TypingCost; readonly indexing: TypingCost };
}

const LINES = 1_000_000;
const QUERIES = 400;
const KEYS = 150;

/** Measures. Call it in a fresh process. */
export async function measureContextScale(
  parts: ScaleParts,
  options: {
    readonly corpusFolder: string;
    readonly seed: number;
    readonly reporter: BenchReporter;
  },
): Promise<ContextScaleReport> {
  const { corpusFolder, reporter } = options;
  const random = createRandom(options.seed);
  const home = await mkdtemp(join(tmpdir(), "midspan-context-"));
  const step = (label: string, done: number): void => reporter.progress({ label, done, total: 6 });
  try {
    step("writing a million lines", 0);
    const written = await writeCorpus(join(home, "workspace"), corpusFolder, reporter);
    const workspace = join(home, "workspace");
    const cache = join(home, "cache");
    const before = residentBytes();

    step("indexing from nothing", 1);
    const stopCold = startCost();
    const cold = await parts.openWorkspace(workspace, cache);
    const typed = written.sample[0] as SourceFile;
    let isDone = false;
    const ready = cold.ready.then(() => {
      isDone = true;
      return stopCold();
    });
    const whileIndexing: Cost[] = [];
    while (!isDone) whileIndexing.push(...(await typeKeys(parts, cold.source, typed, KEYS)));
    const coldCost = await ready;
    const memoryBytes = residentBytes() - before;

    step("typing and asking", 2);
    const idle = await typeKeys(parts, cold.source, typed, KEYS * 2);
    const cursors = sampleCursors(written.sample, { count: QUERIES, random });
    const queries: number[] = [];
    for (const { file, offset } of cursors) {
      const { path, languageId, text } = file;
      const buffer = TextBuffer.from(text);
      const place = { path, languageId, buffer, offset, sent: [] };
      const stop = startCost();
      const { late } = cold.source.find(place);
      queries.push(stop().cpuMs);
      await late;
    }
    step("saving files", 4);
    const saves: Cost[] = [];
    for (const { path, text } of written.sample.slice(0, 20)) {
      const stop = startCost();
      await cold.save(path, `${text}\n`);
      saves.push(stop());
    }
    await cold.close();
    const symbolBytes = await sizeOf(cache, "symbols.bin");

    step("indexing from the store", 5);
    const stopWarm = startCost();
    const warm = await parts.openWorkspace(workspace, cache);
    await warm.ready;
    const warmCost = stopWarm();
    await warm.close();
    return {
      files: written.files,
      lines: written.lines,
      sourceBytes: written.bytes,
      cold: coldCost,
      warm: warmCost,
      savedFile: middleOf(saves),
      memoryBytes,
      symbolBytes,
      queries: queries.length,
      queryCpuMs: {
        p50: percentile(queries, 0.5),
        p95: percentile(queries, 0.95),
        max: Math.max(...queries),
      },
      typing: { idle: typingCost(idle), indexing: typingCost(whileIndexing) },
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function startCost(): () => Cost {
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startedCpu);
    return { ms: performance.now() - startedMs, cpuMs: (user + system) / 1000 };
  };
}

function typingCost(keys: readonly Cost[]): TypingCost {
  const p95 = (of: (cost: Cost) => number): number => percentile(keys.map(of), 0.95);
  return { ms: p95(({ ms }) => ms), cpuMs: p95(({ cpuMs }) => cpuMs) };
}

/** CPU time of the main thread so far; Linux keeps it for each thread. */
function mainThreadMs(): number {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8");
    return Number(stat.split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

function middleOf(costs: readonly Cost[]): Cost {
  const middle = (of: (cost: Cost) => number): number => percentile(costs.map(of), 0.5);
  return { ms: middle(({ ms }) => ms), cpuMs: middle(({ cpuMs }) => cpuMs) };
}

/** Cost of each key press of a stretch, with a model that answers at once. */
async function typeKeys(
  parts: ScaleParts,
  context: ContextSource,
  { path, languageId, text }: SourceFile,
  keys: number,
): Promise<Cost[]> {
  const engine = parts.createEngine({ backend: new RecordingBackend(), context });
  engine.open({ uri: path, path, languageId, version: 1, text });
  const start = text.length >> 1;
  const times: Cost[] = [];
  for (let key = 1; key <= keys; key++) {
    const offset = start + key;
    const startedMs = performance.now();
    const startedCpu = mainThreadMs();
    const typed = key % 7 === 0 ? " " : "a";
    engine.edit(path, key + 1, [{ start: offset - 1, end: offset - 1, text: typed }]);
    const document = { kind: "open", uri: path, version: key + 1, offset } as const;
    const { signal } = new AbortController();
    await engine.complete(requestFor(document, { trigger: "invoked" }), { signal });
    times.push({ ms: performance.now() - startedMs, cpuMs: mainThreadMs() - startedCpu });
    // A person's fingers rest; without it nothing else would run on this thread.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  engine.dispose();
  return times;
}

/** Writes copies of the large corpus until there are a million lines. Keeps a few files only. */
async function writeCorpus(
  folder: string,
  corpusFolder: string,
  reporter: BenchReporter,
): Promise<{
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
  readonly sample: readonly SourceFile[];
}> {
  const corpus = await loadLargeCorpus({ corpusFolder, note: reporter.note });
  const sample: SourceFile[] = [];
  let [files, lines, bytes] = [0, 0, 0];
  for (let copy = 0; lines < LINES; copy++) {
    for (const file of corpus.files) {
      if (lines >= LINES) break;
      // A copy differs, or it would be one text to anything that compares hashes.
      const text = copy === 0 ? file.text : `${file.text}\n// ${copy}\n`;
      const path = `c${copy}/${file.path}`;
      const full = join(folder, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, text);
      files++;
      bytes += Buffer.byteLength(text);
      lines += text.split("\n").length;
      if (sample.length < 200 && text.length > 4_000 && files % 20 === 0) {
        sample.push({ ...file, path, text });
      }
    }
  }
  return { files, lines, bytes, sample };
}

async function sizeOf(folder: string, name: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name === name) {
      bytes += (await stat(join(entry.parentPath, entry.name))).size;
    }
  }
  return bytes;
}

/** Resident memory after a full collection. */
function residentBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().rss;
}
