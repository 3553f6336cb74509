/**
 * `midspan bench capacity`: simulated developers type in files of their own, each request giving up
 * the one before, until the time to the first token leaves its limit. Requests keep their times
 * whether the server is ready or not: one that falls behind is not spared.
 */
import { type Engine, requestFor } from "../../engine/index.ts";
import { LocalModel } from "../../local/index.ts";
import { createRandom } from "../../stats/random.ts";
import { percentile } from "../../stats/summary.ts";
import type { BenchReporter } from "../bench-report.ts";
import type { OpenTarget } from "../latency/latency-bench.ts";
import { type MeteredCall, meterBackend } from "../replay/metered-backend.ts";
import type { SourceFile } from "../source-file.ts";
import { crowdTimes, requestRate, type TypingModel } from "./developer-schedule.ts";
import {
  type Capacity,
  type CapacityGoal,
  type CapacityStep,
  findCapacity,
} from "./find-capacity.ts";

export interface CapacityBenchOptions {
  readonly open: OpenTarget;
  readonly files: readonly SourceFile[];
  readonly typing: TypingModel;
  readonly goal: CapacityGoal;
  /** Of a step, about. */
  readonly requests: number;
  /** A step lasts at least this long. */
  readonly leastMs: number;
  readonly seed: number;
  readonly now: () => number;
  /** Resolves after the time, or as soon as the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly reporter: BenchReporter;
}

/** What was found, and what the requests were like. */
export interface CapacityResult extends Capacity {
  /** Of a prompt, mean, and the share of it that was in the cache. */
  readonly inputTokens: number;
  readonly cachedShare: number;
  readonly outputTokens: number;
}

/** As in the cost model: a line, seldom longer. */
const MAX_TOKENS = 25;
/** Requests that still wait at the end of a step are given up after this. */
const GRACE_MS = 10_000;
/** New developers have their files read before they count: people come to work one after another. */
const WARM_UP_AT_A_TIME = 4;

/** Measures with growing numbers of developers. */
export async function runCapacityBench(options: CapacityBenchOptions): Promise<CapacityResult> {
  const { open, files, goal, typing, now, reporter } = options;
  const crowd: Developer[] = [];
  const calls: MeteredCall[] = [];
  const measure = async (developers: number): Promise<CapacityStep> => {
    const newcomers: Developer[] = [];
    while (crowd.length < developers) {
      const developer = new Developer({ open, now, files, number: crowd.length });
      crowd.push(developer);
      newcomers.push(developer);
    }
    reporter.note(`${newcomers.length} more developers open their files`);
    const queue = [...newcomers];
    const warmUp = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next.ask();
    };
    await Promise.all(Array.from({ length: WARM_UP_AT_A_TIME }, warmUp));
    for (const developer of crowd) developer.takeRequests();
    const step = await measureCrowd(crowd.slice(0, developers), options);
    calls.push(...step.calls);
    return {
      ...step.figures,
      requestsPerSecond: developers * requestRate(typing),
      memoryBytes: await open.memoryBytes(),
    };
  };
  try {
    const capacity = await findCapacity(measure, goal);
    const usages = calls.flatMap(({ usage }) => usage ?? []);
    const sum = (of: (usage: (typeof usages)[number]) => number): number =>
      usages.reduce((total, usage) => total + of(usage), 0);
    const inputTokens = sum((usage) => usage.inputTokens);
    return {
      ...capacity,
      inputTokens: inputTokens / usages.length,
      cachedShare: sum((usage) => usage.cachedTokens ?? 0) / inputTokens,
      outputTokens: sum((usage) => usage.outputTokens) / usages.length,
    };
  } finally {
    for (const developer of crowd) developer.leave();
  }
}

async function measureCrowd(
  crowd: readonly Developer[],
  options: CapacityBenchOptions,
): Promise<{
  readonly figures: Omit<CapacityStep, "requestsPerSecond" | "memoryBytes">;
  readonly calls: readonly MeteredCall[];
}> {
  const { typing, requests, leastMs, seed, now, sleep, goal, reporter } = options;
  const random = createRandom(seed + crowd.length);
  const developers = crowd.length;
  const schedule = crowdTimes(typing, { developers, requests, leastMs, random });
  const startedAt = now();
  const answers: Promise<void>[] = [];
  for (const [i, { atMs, developer }] of schedule.entries()) {
    const wait = startedAt + atMs - now();
    if (wait > 0) await sleep(wait, neverAborted);
    const asking = crowd[developer]?.ask();
    if (asking !== undefined) answers.push(asking);
    reporter.progress({ label: `${developers} developers`, done: i + 1, total: schedule.length });
  }
  const ended = new AbortController();
  const all = Promise.all(answers).finally(() => ended.abort());
  await Promise.race([all, sleep(GRACE_MS, ended.signal)]);
  for (const developer of crowd) developer.giveUp();
  await all;
  const wallMs = now() - startedAt;
  const taken = crowd.map((developer) => developer.takeRequests());
  const asked = taken.flatMap((one) => one.requests);
  const calls = taken.flatMap((one) => one.calls);
  const waits = asked.flatMap(({ waitedMs, end }) => {
    // Who typed on within the limit had no time to be disappointed; who waited longer had.
    if (end === "superseded" && waitedMs <= goal.limitMs) return [];
    return end === "failed" ? [] : [waitedMs];
  });
  const tokens = calls.reduce((sum, call) => sum + (call.usage?.outputTokens ?? call.pieces), 0);
  return {
    calls,
    figures: {
      developers,
      requests: asked.length,
      failed: asked.filter(({ end }) => end === "failed").length,
      superseded: asked.filter(({ end }) => end === "superseded").length,
      firstTokenMs: { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95) },
      tokensPerSecond: (tokens * 1_000) / wallMs,
    },
  };
}

/** How long somebody waited for the first token, and why no longer. */
interface AskedRequest {
  readonly end: "answered" | "superseded" | "failed";
  readonly waitedMs: number;
}

const neverAborted = new AbortController().signal;
const STEP_UNITS = 9;

/** Somebody who types in a file, asks now and then, and never waits for two answers. */
class Developer {
  readonly #engine: Engine;
  readonly #now: () => number;
  readonly #path: string;
  readonly #file: SourceFile;
  #calls: readonly MeteredCall[] = [];
  #takenCalls = 0;
  #requests: AskedRequest[] = [];
  #controller = new AbortController();
  #offset: number;

  constructor(options: {
    readonly open: OpenTarget;
    readonly now: () => number;
    readonly files: readonly SourceFile[];
    readonly number: number;
  }) {
    const { open, now, files, number } = options;
    this.#now = now;
    const file = files[number % files.length];
    if (file === undefined) throw new RangeError("there is no file to type in");
    this.#file = file;
    this.#path = `developer-${number}/${file.path}`;
    this.#offset = Math.floor(file.text.length / 4);
    this.#engine = open.createEngine({
      local: new LocalModel(),
      observe: (backend) => {
        const meter = meterBackend(backend, { clock: { now } });
        this.#calls = meter.calls;
        return meter.backend;
      },
    });
  }

  /** Types on and asks; what was asked before is given up. Never rejects. */
  async ask(): Promise<void> {
    this.giveUp();
    const controller = new AbortController();
    this.#controller = controller;
    const firstCall = this.#calls.length;
    const startedAt = this.#now();
    const { text, languageId } = this.#file;
    this.#offset = this.#offset + STEP_UNITS < text.length ? this.#offset + STEP_UNITS : 0;
    const lineEnd = text.indexOf("\n", this.#offset);
    const request = requestFor(
      {
        kind: "text",
        prefix: text.slice(0, this.#offset),
        suffix: lineEnd < 0 ? "" : text.slice(lineEnd),
        path: this.#path,
        languageId,
        session: null,
        version: null,
      },
      { trigger: "invoked", multiline: "never", maxTokens: MAX_TOKENS },
    );
    const { signal } = controller;
    const isAnswered = await this.#engine.complete(request, { signal }).then(
      () => true,
      () => false,
    );
    // Calls of a later request of this person began after this one was given up.
    const firsts = this.#calls.slice(firstCall).flatMap(({ firstTextAt }) => firstTextAt ?? []);
    const first = signal.aborted ? undefined : firsts[0];
    const waitedMs = (first ?? this.#now()) - startedAt;
    const end = signal.aborted ? "superseded" : isAnswered ? "answered" : "failed";
    this.#requests.push({ end, waitedMs });
  }

  /** Stops waiting. */
  giveUp(): void {
    this.#controller.abort(new Error("typed on"));
  }

  /** The requests and calls since the last time. */
  takeRequests(): {
    readonly requests: readonly AskedRequest[];
    readonly calls: readonly MeteredCall[];
  } {
    const requests = this.#requests;
    this.#requests = [];
    const calls = this.#calls.slice(this.#takenCalls);
    this.#takenCalls = this.#calls.length;
    return { requests, calls };
  }

  leave(): void {
    this.giveUp();
    this.#engine.dispose();
  }
}
