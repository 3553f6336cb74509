/** Runs the sessions of a replay one after the other, in one configuration or in two side by side. */
import { present } from "../../base/assert.ts";
import type { Backend, Clock, ContextSource } from "../../core/index.ts";
import type { Engine } from "../../engine/index.ts";
import type { LocalModel } from "../../local/index.ts";
import type { Fields } from "../../protocol/decode.ts";
import { createRandom } from "../../stats/random.ts";
import type { BenchReporter } from "../bench-report.ts";
import { type KnownWorkspace, makeKnown } from "../repo/known-workspace.ts";
import { rowOf } from "../run/json-lines.ts";
import { type CallMeter, meterBackend } from "./metered-backend.ts";
import { type Pace, paceBackend } from "./paced-backend.ts";
import { createPerson } from "./person.ts";
import { replaySession } from "./replay-session.ts";
import type { SessionTask, TaskBatch } from "./replay-tasks.ts";
import type { SessionCounts } from "./session-counts.ts";
import { createStandIn, type StandIn } from "./stand-in-backend.ts";
import type { TypingScript } from "./typing-script.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** One way of working: settings and a model. */
export interface Configuration {
  /** In the report. */
  readonly name: string;
  readonly model:
    | { readonly kind: "none" }
    | {
        readonly kind: "real";
        readonly backend: Backend;
        /** `null`: it takes the time that it takes. */
        readonly pace: Pace | null;
      }
    | { readonly kind: "stand-in"; readonly standIn: StandIn };
  readonly usesLocal: boolean;
  /** See `SessionOptions.asksEveryKey`. */
  readonly asksEveryKey: boolean;
  /** Repository context for its prompts; `null` for none. */
  readonly createContext: (() => ContextSource) | null;
  /** An engine as the product makes it. */
  readonly createEngine: (parts: {
    readonly clock: Clock;
    readonly stopwatch: Pick<Clock, "now">;
    readonly local: LocalModel | null;
    readonly backend: Backend | null;
    readonly context: ContextSource | null;
  }) => Engine;
}

/** What a session of one configuration came to. */
export interface SessionRow {
  /** Of the session and the configuration. */
  readonly id: string;
  readonly session: string;
  readonly path: string;
  readonly configuration: string;
  readonly counts: SessionCounts;
}

/** Reads a session that an earlier run kept. */
export const readSessionRow: (fields: Fields) => SessionRow = rowOf<SessionRow>({
  ...{ id: "string", session: "string", path: "string", configuration: "string" },
  counts: {
    ...{ typedKeys: "number", acceptKeys: "number", writtenUnits: "number" },
    ...{ acceptedUnits: "number", requests: "number", outcomes: "numbers", joins: "number" },
    ...{ reached: "number", late: "number", failures: "numbers", calls: "numbers" },
    ...{ suggestions: "numbers", virtualMs: "number", waitMs: "numbers", ttftMs: "numbers" },
    decodeMs: "numbers",
    measured: {
      ...{ contextMs: "numbers", postMs: "numbers", realMs: "number", cpuMs: "number" },
    },
  },
});

export interface ReplayOptions {
  readonly batches: readonly TaskBatch[];
  readonly configurations: readonly Configuration[];
  readonly known: KnownWorkspace & { readonly local: LocalModel };
  readonly seed: number;
  /** Sessions that are there already, by id. */
  readonly earlier: ReadonlyMap<string, SessionRow>;
  readonly keep: (row: SessionRow) => Promise<void> | void;
  readonly reporter: BenchReporter;
  readonly signal: AbortSignal;
}

/** The rows, in order; fewer than asked for when `signal` ended the run. */
export async function runReplay(options: ReplayOptions): Promise<readonly SessionRow[]> {
  const { batches, configurations, earlier, signal, reporter } = options;
  const sessions = batches.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const rows: SessionRow[] = [];
  let number = 0;
  for (const { tasks, known } of batches) {
    const idsOf = (task: SessionTask): string[] =>
      configurations.map(({ name }) => idOf(task, name));
    const isDone = tasks.every((task) => idsOf(task).every((id) => isKept(earlier.get(id))));
    if (!isDone) await makeKnown(known, options.known);
    for (const task of tasks) {
      number++;
      for (const configuration of configurations) {
        const before = earlier.get(idOf(task, configuration.name));
        if (before !== undefined && isKept(before)) {
          rows.push(before);
          continue;
        }
        const done = rows.length;
        reporter.progress({
          label: task.path,
          done,
          total: sessions * configurations.length,
        });
        const row = await runSession(task, configuration, { ...options, number });
        if (row === null || signal.aborted) return rows;
        rows.push(row);
        await options.keep(row);
      }
    }
  }
  return rows;
}

function idOf(task: SessionTask, configuration: string): string {
  return `${task.id}#${configuration}`;
}

/** A session in which the backend failed is typed again when a run is continued. */
function isKept(row: SessionRow | undefined): boolean {
  return row !== undefined && row.counts.calls.failed === 0;
}

async function runSession(
  task: SessionTask,
  configuration: Configuration,
  options: ReplayOptions & { readonly number: number },
): Promise<SessionRow | null> {
  const { seed, number, signal } = options;
  const clock = new VirtualClock();
  const script = task.createScript();
  const sessionSeed = seed * 65_537 + number;
  const person = createPerson(task.writing, createRandom(sessionSeed));
  const meter = meterOf(configuration, { clock, script, seed: sessionSeed });
  const engine = configuration.createEngine({
    clock,
    stopwatch: performance,
    local: configuration.usesLocal ? options.known.local : null,
    backend: meter?.backend ?? null,
    context: configuration.createContext?.() ?? null,
  });
  const { path, languageId } = task;
  const { asksEveryKey } = configuration;
  const about = { path, languageId, script, person, asksEveryKey };
  const counts = await replaySession({ ...about, engine, clock, meter, signal });
  if (counts === null) return null;
  const { name } = configuration;
  return { id: idOf(task, name), session: task.id, path, configuration: name, counts };
}

function meterOf(
  { model }: Configuration,
  parts: { readonly clock: VirtualClock; readonly script: TypingScript; readonly seed: number },
): CallMeter | null {
  const { clock } = parts;
  switch (model.kind) {
    case "none":
      return null;
    case "stand-in":
      return meterBackend(createStandIn(model.standIn, parts), { clock });
    case "real":
      if (model.pace !== null) {
        return meterBackend(paceBackend(model.backend, model.pace, clock), { clock });
      }
      // Time flows as long as the backend works.
      return meterBackend(model.backend, {
        clock,
        onRunning: (running) => clock.setFlowing(running > 0),
      });
  }
}

/** The rows of one configuration. */
export function rowsOf(rows: readonly SessionRow[], name: string): readonly SessionRow[] {
  return rows.filter(({ configuration }) => configuration === name);
}

/** Pairs of rows of the same session in two configurations. */
export function pairRows(
  rows: readonly SessionRow[],
  names: { readonly left: string; readonly right: string },
): readonly { readonly left: SessionRow; readonly right: SessionRow }[] {
  const right = new Map(rowsOf(rows, names.right).map((row) => [row.session, row]));
  return rowsOf(rows, names.left)
    .filter(({ session }) => right.has(session))
    .map((left) => ({ left, right: present(right.get(left.session), "the other row") }));
}
