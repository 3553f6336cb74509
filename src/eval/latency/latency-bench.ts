/**
 * `midspan bench latency`: the table that people compare models by. Every target answers the same
 * places of open packages, first one request at a time, then several at once. Each place is asked once,
 * so a prompt is cold; what typing costs on a warm cache is what `midspan replay` measures.
 */
import type { Backend } from "../../core/index.ts";
import { type Engine, type LanguageModel, requestFor } from "../../engine/index.ts";
import { LocalModel } from "../../local/index.ts";
import { createRandom } from "../../stats/random.ts";
import { mean, percentile } from "../../stats/summary.ts";
import { editSimilarity, isExactMatch } from "../../stats/text-match.ts";
import type { BenchReporter } from "../bench-report.ts";
import type { Corpus } from "../corpus.ts";
import { sampleCursors } from "../cursor-sample.ts";
import { indexFiles } from "../index-files.ts";
import { meterBackend } from "../replay/metered-backend.ts";
import type { SourceFile } from "../source-file.ts";
import { makeSplits } from "../split.ts";
import { sampleBlocks } from "./block-sample.ts";

/** A model and where it runs. Opened when its turn comes. */
export interface LatencyTarget {
  readonly name: string;
  /** Rejects with a message for people when it cannot run here. */
  open(): Promise<OpenTarget>;
}

/** A target that answers. */
export interface OpenTarget {
  /** Kind of its server; `none` for the local model. */
  readonly backend: string;
  /** What the model is called there. */
  readonly model: string;
  /** Family and order of the prompt; `null` where there is no prompt. */
  readonly template: string | null;
  /** For engines made elsewhere; `null` for the local model. */
  readonly languageModel: LanguageModel | null;
  /** An engine of its own; the target decides whether it takes the local model. */
  createEngine(parts: {
    readonly observe: (backend: Backend) => Backend;
    readonly local: LocalModel;
  }): Engine;
  /** Resident bytes of the model server, or of this process; `null` when it is elsewhere. */
  memoryBytes(): Promise<number | null>;
  close(): Promise<void>;
}

/** A place with its answer. */
export interface LatencyQuestion {
  readonly kind: "line" | "block";
  readonly file: SourceFile;
  readonly offset: number;
  readonly target: string;
}

/** Figures of a target at one number of requests at a time. */
export interface LatencyRow {
  readonly parallel: number;
  readonly requests: number;
  /** Requests that failed; they are in no other figure. */
  readonly failed: number;
  readonly firstTokenMs: { readonly p50: number; readonly p95: number };
  readonly totalMs: { readonly p50: number; readonly p95: number };
  /** Of one answer while it is generated, median; `NaN` where nothing is generated. */
  readonly tokensPerSecond: number;
  /** Of all answers together, over the whole time. */
  readonly allTokensPerSecond: number;
  readonly memoryBytes: number | null;
}

/** What a target came to. */
export type TargetResult =
  | { readonly kind: "missing"; readonly name: string; readonly reason: string }
  | {
      readonly kind: "measured";
      readonly name: string;
      readonly backend: string;
      readonly model: string;
      readonly template: string | null;
      /** Right answers, one per question. */
      readonly line: readonly boolean[];
      readonly block: readonly boolean[];
      /** Of the blocks, 0..1. */
      readonly blockSimilarity: number;
      readonly rows: readonly LatencyRow[];
    };

export interface LatencyBenchOptions {
  readonly targets: readonly LatencyTarget[];
  readonly corpora: readonly Corpus[];
  /** Lines asked at each number of requests at a time, of all packages together. */
  readonly lines: number;
  readonly blocks: number;
  readonly parallel: readonly number[];
  readonly seed: number;
  readonly now: () => number;
  readonly reporter: BenchReporter;
}

const HELD_OUT_FILES = 12;
const LINE_TOKENS = 48;
const BLOCK_TOKENS = 120;

/** Measures the targets in turn; one that cannot run is reported as missing. */
export async function runLatencyBench(
  options: LatencyBenchOptions,
): Promise<readonly TargetResult[]> {
  const { targets, parallel, reporter } = options;
  const { questions, indexed } = drawLatencyQuestions(options);
  const local = new LocalModel();
  local.adopt(indexFiles(indexed));
  const results: TargetResult[] = [];
  for (const target of targets) {
    reporter.note(`starting ${target.name}`);
    let open: OpenTarget;
    try {
      open = await target.open();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      results.push({ kind: "missing", name: target.name, reason });
      continue;
    }
    try {
      const measured = await measure(open, { ...options, name: target.name, questions, local });
      results.push(measured);
    } finally {
      await open.close();
    }
  }
  reporter.progress({ label: "done", done: parallel.length, total: parallel.length });
  return results;
}

/** Lines for every number of requests at a time, each another place; blocks for the first alone. */
export function drawLatencyQuestions(
  options: Pick<LatencyBenchOptions, "corpora" | "lines" | "blocks" | "parallel" | "seed">,
): {
  readonly questions: readonly (readonly LatencyQuestion[])[];
  readonly indexed: readonly SourceFile[];
} {
  const random = createRandom(options.seed);
  const splits = options.corpora.flatMap(({ files }) =>
    makeSplits(files, { heldOutFiles: HELD_OUT_FILES, random }).slice(0, 1),
  );
  const heldOut = random.shuffled(splits.flatMap((split) => split.heldOut));
  const count = options.lines * options.parallel.length;
  const lines = random.shuffled(sampleCursors(heldOut, { count, random }));
  const blocks = sampleBlocks(heldOut, { count: options.blocks, random });
  const questions = options.parallel.map((_, i) => [
    ...lines
      .slice(i * options.lines, (i + 1) * options.lines)
      .map(({ file, offset, target }) => ({ kind: "line", file, offset, target }) as const),
    ...(i === 0 ? blocks.map((block) => ({ kind: "block", ...block }) as const) : []),
  ]);
  return { questions, indexed: splits.flatMap((split) => split.indexed) };
}

interface Measuring extends LatencyBenchOptions {
  readonly name: string;
  readonly questions: readonly (readonly LatencyQuestion[])[];
  readonly local: LocalModel;
}

/** One answer and its times. */
interface Answer {
  readonly question: LatencyQuestion;
  /** `null` when it failed. */
  readonly text: string | null;
  readonly firstTokenMs: number;
  readonly totalMs: number;
  readonly tokens: number;
  /** From the first token to the last. */
  readonly generatingMs: number;
}

async function measure(open: OpenTarget, options: Measuring): Promise<TargetResult> {
  const { name, questions, parallel, reporter, now } = options;
  const rows: LatencyRow[] = [];
  const all: Answer[] = [];
  for (const [level, workers] of parallel.entries()) {
    const queue = [...(questions[level] ?? [])];
    const total = queue.length;
    const startedAt = now();
    const answers: Answer[] = [];
    const work = async (): Promise<void> => {
      const asker = createAsker(open, options);
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          answers.push(await asker.ask(next));
          const label = `${name}, ${workers} at a time`;
          reporter.progress({ label, done: answers.length, total });
        }
      } finally {
        asker.dispose();
      }
    };
    await Promise.all(Array.from({ length: Math.min(workers, total) }, work));
    const wallMs = now() - startedAt;
    rows.push(rowOf(answers, { workers, wallMs, memoryBytes: await open.memoryBytes() }));
    all.push(...answers);
  }
  const right = (kind: LatencyQuestion["kind"]): readonly boolean[] =>
    all
      .filter(({ question, text }) => question.kind === kind && text !== null)
      .map(({ question, text }) => isExactMatch(text ?? "", question.target));
  const similarities = all
    .filter(({ question, text }) => question.kind === "block" && text !== null)
    .map(({ question, text }) => editSimilarity(text ?? "", question.target));
  const { backend, model, template } = open;
  return {
    ...{ kind: "measured", name, backend, model, template, rows },
    line: right("line"),
    block: right("block"),
    blockSimilarity: mean(similarities),
  };
}

function rowOf(
  answers: readonly Answer[],
  options: {
    readonly workers: number;
    readonly wallMs: number;
    readonly memoryBytes: number | null;
  },
): LatencyRow {
  const good = answers.filter(({ text }) => text !== null);
  // Times are those of lines: a block's answer is longer, and its prompt is no other.
  const lines = good.filter(({ question }) => question.kind === "line");
  const both = (times: readonly number[]): LatencyRow["totalMs"] => ({
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  });
  const speeds = good
    .filter(({ tokens, generatingMs }) => tokens > 1 && generatingMs > 0)
    .map(({ tokens, generatingMs }) => ((tokens - 1) * 1_000) / generatingMs);
  const tokens = good.reduce((sum, answer) => sum + answer.tokens, 0);
  return {
    parallel: options.workers,
    requests: answers.length,
    failed: answers.length - good.length,
    firstTokenMs: both(lines.map(({ firstTokenMs }) => firstTokenMs)),
    totalMs: both(lines.map(({ totalMs }) => totalMs)),
    tokensPerSecond: percentile(speeds, 0.5),
    allTokensPerSecond: tokens === 0 ? Number.NaN : (tokens * 1_000) / options.wallMs,
    memoryBytes: options.memoryBytes,
  };
}

/** One person: an engine of their own, whose requests to the model are metered. */
function createAsker(
  open: OpenTarget,
  { now, local }: Pick<Measuring, "now" | "local">,
): { ask(question: LatencyQuestion): Promise<Answer>; dispose(): void } {
  let meter: ReturnType<typeof meterBackend> | null = null;
  const engine = open.createEngine({
    local,
    observe: (backend) => {
      meter = meterBackend(backend, { clock: { now } });
      return meter.backend;
    },
  });
  const callsOf = (): ReturnType<typeof meterBackend>["calls"] => meter?.calls ?? [];
  const ask = async (question: LatencyQuestion): Promise<Answer> => {
    const before = callsOf().length;
    const startedAt = now();
    const text = await complete(engine, question).catch(() => null);
    const endedAt = now();
    // A missed healing asks twice: the person waited for the first text of all.
    const calls = callsOf().slice(before);
    const firsts = calls.flatMap(({ firstTextAt }) => firstTextAt ?? []);
    const last = calls.at(-1);
    const generatingMs = (last?.endedAt ?? 0) - (last?.firstTextAt ?? last?.endedAt ?? 0);
    return {
      ...{ question, text, generatingMs },
      firstTokenMs: (firsts.length === 0 ? endedAt : Math.min(...firsts)) - startedAt,
      totalMs: endedAt - startedAt,
      tokens: last === undefined ? 0 : (last.usage?.outputTokens ?? last.pieces),
    };
  };
  return { ask, dispose: () => engine.dispose() };
}

/** The best text that the filters kept, whatever its chance; empty when there is none. */
async function complete(engine: Engine, question: LatencyQuestion): Promise<string> {
  const { file, offset, target, kind } = question;
  const isBlock = kind === "block";
  const request = requestFor(
    {
      kind: "text",
      prefix: file.text.slice(0, offset),
      suffix: file.text.slice(offset + target.length),
      path: file.path,
      languageId: file.languageId,
      session: null,
      version: null,
    },
    {
      trigger: "invoked",
      multiline: isBlock ? "always" : "never",
      maxTokens: isBlock ? BLOCK_TOKENS : LINE_TOKENS,
    },
  );
  const { outcome } = await engine.complete(request, { signal: new AbortController().signal });
  return outcome.kind === "completion" ? outcome.edit.text : "";
}
