/**
 * What a result was measured with. Two results may be compared only where their stamps agree, so each
 * result file begins with one and each report shows it.
 */
import { describeMachine, type Machine, machineLine } from "../machine.ts";

/** Everything that a result depends on. */
export interface Stamp {
  /** What was run, such as `infill` or `repo`. */
  readonly benchmark: string;
  /** Version of Midspan. */
  readonly version: string;
  /** When the run began, ISO 8601. */
  readonly startedAt: string;
  readonly machine: Machine;
  readonly engine: EngineStamp;
  /** Id or file name of the model; `local` for the one without weights. */
  readonly model: string;
  /** Such as `Q8_0`; `null` when the server does not say. */
  readonly quantisation: string | null;
  /** Family, order and template of the prompt; `null` where there is no prompt. */
  readonly template: string | null;
  /** Stop strings that are sent. */
  readonly stops: readonly string[];
  readonly sampling: SamplingStamp;
  /** How answers are scored, in words. */
  readonly scoring: string;
  /** What else was chosen, such as the way of asking; never a path or a key. */
  readonly choices: Readonly<Record<string, string | number | boolean>>;
}

/** The program that computed the texts. */
export interface EngineStamp {
  /** Kind of the backend, such as `llama.cpp`, or `midspan` without one. */
  readonly kind: string;
  /** `null` when it does not say. */
  readonly version: string | null;
}

/** How texts were drawn. */
export interface SamplingStamp {
  /** 0 is greedy. */
  readonly temperature: number;
  /** Answers for each task. */
  readonly samples: number;
  readonly maxTokens: number;
  /** Of the sample of tasks; the server's own randomness is not ours to seed. */
  readonly seed: number;
}

/** A stamp of now, on this machine. */
export function createStamp(facts: Omit<Stamp, "machine" | "startedAt">): Stamp {
  return { ...facts, startedAt: new Date().toISOString(), machine: describeMachine() };
}

const comparedFields = [
  "benchmark",
  "version",
  "engine",
  "model",
  "quantisation",
  "template",
  "stops",
  "sampling",
  "scoring",
  "choices",
] as const satisfies readonly (keyof Stamp)[];

/**
 * The fields in which two stamps differ; none when results of both may stand in one table. Time and
 * machine do not count: they change how long an answer takes, not what it is.
 */
export function stampDifferences(left: Stamp, right: Stamp): readonly (keyof Stamp)[] {
  const textOf = (value: unknown): string => JSON.stringify(sorted(value));
  return comparedFields.filter((field) => textOf(left[field]) !== textOf(right[field]));
}

/** The stamp as lines of a name and a text, for reports. */
export function stampLines(stamp: Stamp): readonly (readonly [string, string])[] {
  const { engine, sampling, stops, choices } = stamp;
  const drawn = sampling.temperature === 0 ? "greedy" : `temperature ${sampling.temperature}`;
  return [
    ["Benchmark", stamp.benchmark],
    ["Midspan", stamp.version],
    ["Begun", stamp.startedAt],
    ["Machine", machineLine(stamp.machine)],
    ["Engine", engine.version === null ? engine.kind : `${engine.kind} ${engine.version}`],
    ["Model", stamp.model],
    ["Quantisation", stamp.quantisation ?? "unknown"],
    ["Template", stamp.template ?? "none"],
    ["Stops", stops.length === 0 ? "none" : stops.map((stop) => JSON.stringify(stop)).join(" ")],
    [
      "Sampling",
      `${drawn}, ${sampling.samples} per task, at most ${sampling.maxTokens} tokens, seed ${sampling.seed}`,
    ],
    ["Scoring", stamp.scoring],
    ...Object.entries(choices).map(([name, value]) => [name, String(value)] as const),
  ];
}

/** The same value with the keys of all objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
