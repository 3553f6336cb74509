import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Backend, type BackendEvent, CompletionError } from "../../core/index.ts";
import { LocalModel } from "../../local/index.ts";
import { createRandom } from "../../stats/random.ts";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeBackend } from "../../testing/fake-backend.ts";
import { stampOf } from "../../testing/stamp-fixture.ts";
import { silentReporter } from "../bench-report.ts";
import type { SourceFile } from "../source-file.ts";
import { replayReport } from "./replay-report.ts";
import { stretchTasks } from "./replay-tasks.ts";
import { type Configuration, runReplay, type SessionRow } from "./run-replay.ts";

const files = Array.from({ length: 8 }, (_, i): SourceFile => {
  const lines = Array.from({ length: 25 }, (_, n) => `const name${i}_${n} = load(${n}, "${i}");`);
  return { path: `f${i}.ts`, text: `${lines.join("\n")}\n`, languageId: "typescript" };
});

function configuration(name: string, model: Configuration["model"]): Configuration {
  return {
    name,
    model,
    usesLocal: false,
    asksEveryKey: false,
    createContext: null,
    createEngine: ({ clock, backend }) =>
      engineOf(backend === null ? { clock } : { clock, backend }),
  };
}

async function run(
  configurations: readonly Configuration[],
  options: { readonly known?: ReadonlyMap<string, SessionRow>; readonly stopAfter?: number } = {},
): Promise<readonly SessionRow[]> {
  const controller = new AbortController();
  let kept = 0;
  return runReplay({
    batches: stretchTasks(files, { sessions: 4, units: 40, random: createRandom(1) }),
    configurations,
    known: { local: new LocalModel(), onFiles: null },
    seed: 1,
    earlier: options.known ?? new Map(),
    keep: () => {
      kept++;
      if (kept === options.stopAfter) controller.abort(new Error("interrupted"));
    },
    reporter: silentReporter,
    signal: controller.signal,
  });
}

const good = configuration("good", { kind: "stand-in", standIn: { ttftMs: 20, rightShare: 1 } });
const poor = configuration("poor", { kind: "stand-in", standIn: { ttftMs: 20, rightShare: 0 } });

/** What is the same in every run. */
function lasting(rows: readonly SessionRow[]): unknown {
  return rows.map(({ counts: { measured, ...counts }, ...row }) => {
    expect(measured.realMs).toBeGreaterThan(0);
    return { ...row, counts };
  });
}

test("two configurations meet the same sessions, and the better one saves more", async () => {
  const rows = await run([poor, good]);
  expect(rows.map(({ configuration: name }) => name)).toEqual(
    Array.from({ length: 4 }, () => ["poor", "good"]).flat(),
  );
  const report = replayReport({
    rows,
    configurations: [poor, good].map(({ name }) => ({ name, stamp, networkMs: null })),
    description: "four files",
    seed: 1,
    stopped: null,
  });
  const table = report.sections[0]?.blocks[0];
  const saved =
    table?.kind === "table" ? table.rows.find(([title]) => title === "keystrokes saved") : null;
  const [, left, right, difference] = (saved ?? []).map((cell) => Number.parseFloat(String(cell)));
  expect(right).toBeGreaterThan(left ?? Number.NaN);
  expect(difference).toBeGreaterThan(0);
});

test("a run that was interrupted goes on and ends as one that was not", async () => {
  const first = await run([poor, good], { stopAfter: 3 });
  expect(first).toHaveLength(3);
  const known = new Map(first.map((row) => [row.id, row]));
  const second = await run([poor, good], { known });
  expect(second.slice(0, 3)).toEqual(first);
  expect(lasting(second)).toEqual(lasting(await run([poor, good])));
});

test("sessions with failed calls are typed again when a run goes on", async () => {
  let count = 0;
  const error = new CompletionError("BACKEND_BAD_RESPONSE", "no");
  const flaky = new FakeBackend({
    script: () => (++count % 10 === 0 ? { steps: [{ kind: "fail", error }] } : "x"),
  });
  const rows = await run([configuration("real", { kind: "real", backend: flaky, pace: null })]);
  const failed = rows.reduce((sum, { counts }) => sum + counts.calls.failed, 0);
  expect(failed).toBe(Math.floor(flaky.requests.length / 10));
  expect(failed).toBeGreaterThan(0);
  const known = new Map(rows.map((row) => [row.id, row]));
  const steady = new FakeBackend({ script: "x" });
  const again = await run([configuration("real", { kind: "real", backend: steady, pace: null })], {
    known,
  });
  expect(again.every(({ counts }) => counts.calls.failed === 0)).toBe(true);
  const untouched = rows.filter(({ counts }) => counts.calls.failed === 0);
  expect(again).toEqual(expect.arrayContaining(untouched));
});

test("asked on every key, a model is called for each of them", async () => {
  const asking = { ...good, name: "every key", asksEveryKey: true };
  const rows = await run([good, asking]);
  const of = (name: string): readonly SessionRow[] =>
    rows.filter((row) => row.configuration === name);
  expect(of("every key").map(({ counts }) => counts.reached)).toEqual(
    of("every key").map(({ counts }) => counts.requests),
  );
  for (const { counts } of of("good")) expect(counts.reached).toBeLessThan(counts.requests);
});

test("a real model at a set pace is as fast as that, however long it takes", async () => {
  const quick = new FakeBackend({ script: "x" });
  async function* complete(...call: Parameters<Backend["complete"]>): AsyncGenerator<BackendEvent> {
    // Turns of the event loop, in which simulated time would jump on.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    yield* quick.complete(...call);
  }
  const { kind, address, capabilities } = quick;
  const slow: Backend = { kind, address, capabilities, listModels: async () => ["fake"], complete };
  const pace = { ttftMs: 35, perTokenMs: 0 };
  const rows = await run([configuration("paced", { kind: "real", backend: slow, pace })]);
  const ttfts = rows.flatMap(({ counts }) => counts.ttftMs);
  expect(ttfts.length).toBeGreaterThan(0);
  expect(new Set(ttfts.map((ms) => Math.round(ms)))).toEqual(new Set([35]));
});

const stamp = stampOf({ benchmark: "replay", scoring: "a person" });
