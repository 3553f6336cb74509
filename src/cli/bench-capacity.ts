/** `midspan bench capacity`: how many developers a model server carries. */
import { setTimeout } from "node:timers/promises";
import type { BenchReporter } from "../eval/bench-report.ts";
import { runCapacityBench } from "../eval/capacity/capacity-bench.ts";
import { capacityReport, type ServerCapacityResult } from "../eval/capacity/capacity-report.ts";
import { defaultTyping } from "../eval/capacity/developer-schedule.ts";
import { judgedPackages, loadCorpus } from "../eval/corpus.ts";
import type { OpenTarget } from "../eval/latency/latency-bench.ts";
import { describeMachine } from "../eval/machine.ts";
import { writeReport } from "../eval/report/write-report.ts";
import { systemClock } from "../host/clock.ts";
import type { ModelBenchFlags, ModelBenchResult } from "./bench-latency-flags.ts";
import { benchTarget, parseTargets } from "./bench-targets.ts";
import { UsageError } from "./exit.ts";
import { version } from "./version.ts";

const PACKAGE = "rxjs";
const SLOTS = 4;
const SLOT_TOKENS = 2_048;
/** So that a window of the prompt is full, as in real files. */
const MIN_FILE_UNITS = 3_000;
const MAX_DEVELOPERS = 10_000;

/** Measures every target that is a server. Throws `UsageError` when none is named. */
export async function benchCapacity(
  flags: ModelBenchFlags & { readonly quick: boolean },
  options: { readonly corpusFolder: string; readonly reporter: BenchReporter },
): Promise<ModelBenchResult> {
  const { reporter, corpusFolder } = options;
  const { quick, seed, limitMs, requestsPerDay, peak } = flags;
  const size = { slots: flags.slots ?? SLOTS, slotTokens: SLOT_TOKENS };
  const file = process.env.MIDSPAN_TEST_GGUF;
  const given = flags.targets.length > 0 ? flags.targets : file === undefined ? [] : [file];
  const specs = parseTargets(given);
  if (specs.length === 0 || specs.some(({ what }) => what.kind === "local")) {
    throw new UsageError(
      "bench capacity needs a model server: --target KIND:URL, or --target FILE.gguf; the local model runs beside each developer",
    );
  }
  const corpusPackage = judgedPackages.find(({ name }) => name === PACKAGE);
  if (corpusPackage === undefined) throw new UsageError(`there is no corpus ${PACKAGE}`);
  const { files } = await loadCorpus(corpusPackage, { folder: corpusFolder });
  const machine = describeMachine();
  const typing = { ...defaultTyping, requestsPerDay, peakFactor: peak };
  const servers: ServerCapacityResult[] = [];
  for (const spec of specs) {
    const { name } = spec;
    reporter.note(`starting ${name}`);
    let open: OpenTarget;
    try {
      open = await benchTarget(spec, size).open();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      servers.push({ kind: "missing", name, reason });
      continue;
    }
    try {
      const result = await runCapacityBench({
        ...{ open, typing, seed, reporter },
        files: files.filter(({ text }) => text.length >= MIN_FILE_UNITS),
        goal: { limitMs, maxDevelopers: MAX_DEVELOPERS, precision: quick ? 0.25 : 0.1 },
        requests: quick ? 20 : 60,
        leastMs: quick ? 5_000 : 10_000,
        now: () => systemClock.now(),
        sleep,
      });
      servers.push({ kind: "measured", name, model: open.model, backend: open.backend, result });
    } finally {
      await open.close();
    }
  }
  const report = capacityReport(servers, { machine, typing, limitMs, seed, version });
  if (flags.report !== null) {
    const [page] = await writeReport(report, { folder: flags.report, name: "capacity" });
    reporter.note(`the report is ${page}`);
  }
  return {
    report,
    missing: servers.filter(({ kind }) => kind === "missing").map(({ name }) => name),
  };
}

/** Resolves after the time, or as soon as the signal aborts; leaves no timer behind. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
