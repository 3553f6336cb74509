/** `midspan bench latency`: models side by side, right answers and the wait for them. */
import type { BenchReporter } from "../eval/bench-report.ts";
import { judgedPackages, loadCorpus } from "../eval/corpus.ts";
import { runLatencyBench } from "../eval/latency/latency-bench.ts";
import { latencyReport } from "../eval/latency/latency-report.ts";
import { describeMachine } from "../eval/machine.ts";
import { writeReport } from "../eval/report/write-report.ts";
import { systemClock } from "../host/clock.ts";
import type { ModelBenchFlags, ModelBenchResult } from "./bench-latency-flags.ts";
import { benchTarget, parseTargets } from "./bench-targets.ts";
import { version } from "./version.ts";

export interface LatencyBenchFlags extends ModelBenchFlags {
  readonly quick: boolean;
  /** Lines asked at each number of requests at a time; `null` for the usual number. */
  readonly cursors: number | null;
}

const PACKAGES = ["rxjs", "@tanstack/query-core"];
const PARALLEL = [1, 10];
const SLOT_TOKENS = 2_048;

/** Measures every target; one that cannot run is said to be missing. */
export async function benchLatency(
  flags: LatencyBenchFlags,
  options: { readonly corpusFolder: string; readonly reporter: BenchReporter },
): Promise<ModelBenchResult> {
  const { reporter, corpusFolder } = options;
  const { quick, seed } = flags;
  const size = { slots: flags.slots ?? Math.max(...PARALLEL), slotTokens: SLOT_TOKENS };
  const given = flags.targets.length > 0 ? flags.targets : usualTargets();
  const targets = parseTargets(given).map((spec) => benchTarget(spec, size));
  const packages = judgedPackages.filter(({ name }) => PACKAGES.includes(name));
  const corpora = [];
  for (const one of packages) {
    reporter.note(`reading ${one.name}`);
    corpora.push(await loadCorpus(one, { folder: corpusFolder }));
  }
  const machine = describeMachine();
  const lines = flags.cursors ?? (quick ? 12 : 60);
  const results = await runLatencyBench({
    ...{ targets, corpora, lines, seed, reporter },
    blocks: Math.ceil(lines / 3),
    parallel: PARALLEL,
    now: () => systemClock.now(),
  });
  const places = packages.map((one) => `${one.name} ${one.version}`).join(", ");
  const report = latencyReport(results, { machine, corpora: places, seed, version });
  if (flags.report !== null) {
    const [page] = await writeReport(report, { folder: flags.report, name: "latency" });
    reporter.note(`the report is ${page}`);
  }
  return {
    report,
    missing: results.filter(({ kind }) => kind === "missing").map(({ name }) => name),
  };
}

/** The local model, and the model that the tests are given, where there is one. */
function usualTargets(): readonly string[] {
  const file = process.env.MIDSPAN_TEST_GGUF;
  return file === undefined ? ["local"] : ["local", file];
}
