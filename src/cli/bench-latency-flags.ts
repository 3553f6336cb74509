/** Flags that `bench latency` and `bench capacity` share. */
import { type Command, Option } from "commander";
import type { Report } from "../eval/report/report.ts";
import { UsageError } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { positiveNumber } from "./number-flags.ts";
import { reportFolderOf } from "./report-options.ts";

/** What the command line says; `null` takes the usual value. */
export interface ModelBenchFlags {
  /** As typed; empty for the usual ones. */
  readonly targets: readonly string[];
  /** Folder for page, Markdown, JSON and pictures. */
  readonly report: string | null;
  readonly slots: number | null;
  readonly seed: number;
  /** capacity: p95 of the time to the first token may reach this. */
  readonly limitMs: number;
  /** capacity: requests of a developer on a working day. */
  readonly requestsPerDay: number;
  /** capacity: load of the busiest minutes over the average. */
  readonly peak: number;
}

/** What a bench of models found. */
export interface ModelBenchResult {
  readonly report: Report;
  /** Names of the targets that could not run; the report says why. */
  readonly missing: readonly string[];
}

/** Adds the flags to `bench`. */
export function withModelBenchFlags(bench: Command): Command {
  const number = (usage: string, text: string): Option =>
    new Option(usage, `latency, capacity: ${text}`).argParser(positiveNumber);
  const all = [
    new Option(
      "--target <what>",
      "latency, capacity: local, KIND:URL or FILE.gguf, then ,name= ,model= ,format= ,order=; repeat it",
    ).argParser((text: string, before: readonly string[] = []) => [...before, text]),
    new Option("--report <dir>", "latency, capacity: also write a page, Markdown and JSON there"),
    number("--slots <n>", "requests at a time in a llama-server that is started"),
    number("--seed <n>", "another sample").default(1),
    number("--limit <ms>", "p95 of the time to the first token").default(300),
    number("--requests-per-day <n>", "of one developer").default(1_200),
    number("--peak <n>", "load of the busiest minutes over the average").default(3),
  ];
  for (const option of all) bench.addOption(option);
  return bench;
}

/** What was given. Throws `UsageError` when no report can be written where it is wanted. */
export function modelBenchFlagsOf(bench: Command): ModelBenchFlags {
  const { target, slots, seed, limit, requestsPerDay, peak } = bench.opts();
  return {
    targets: target ?? [],
    report: reportFolderOf(bench),
    slots: slots ?? null,
    ...{ seed, limitMs: limit, requestsPerDay, peak },
  };
}

/**
 * The backend that the flags of every command name, as a target; none when they name none. Throws
 * `UsageError` for a flag that the bench could only ignore.
 */
export function targetsOfSettings(what: string, given: Flags): readonly string[] {
  const { backend, model, format, ...others } = given;
  const takesModels = what === "latency" || what === "capacity";
  const [ignored] = Object.keys(takesModels ? others : given);
  if (ignored !== undefined) {
    const instead = takesModels
      ? "it takes --backend, --model and --format"
      : "bench latency and bench capacity take a backend";
    throw new UsageError(
      `bench ${what} measures with settings of its own, so it takes no ${ignored}; ${instead}`,
    );
  }
  if (backend === undefined) {
    if (model === undefined && format === undefined) return [];
    throw new UsageError("--model and --format go with --backend KIND:URL");
  }
  const options = [
    ...(model === undefined ? [] : [`model=${model}`]),
    ...(format === undefined ? [] : [`format=${format}`]),
  ];
  return [[backend, ...options].join(",")];
}
