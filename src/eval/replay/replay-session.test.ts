import { expect, test } from "vitest";
import { type Backend, CompletionError } from "../../core/index.ts";
import { createRandom } from "../../stats/random.ts";
import { engineOf, localModelOf } from "../../testing/engine-fixture.ts";
import { FakeBackend } from "../../testing/fake-backend.ts";
import { meterBackend } from "./metered-backend.ts";
import { createPerson, type Person } from "./person.ts";
import { replaySession } from "./replay-session.ts";
import type { SessionCounts } from "./session-counts.ts";
import { createStandIn } from "./stand-in-backend.ts";
import { TypedStretch } from "./typed-stretch.ts";
import { VirtualClock } from "./virtual-clock.ts";

const stretch = {
  before: "const items = load();\n",
  target: "const total = sum(items);\nreport(total, items);",
  after: "\n",
};

/** 200 ms a key, and no look at the screen but where a text stands for long. */
const steady: Person = {
  charactersPerMinute: 300,
  habitAt: () => ({ gapMs: 200, looks: false }),
};
const attentive: Person = { ...steady, habitAt: () => ({ gapMs: 200, looks: true }) };

async function replay(
  person: Person,
  createBackend: ((clock: VirtualClock, script: TypedStretch) => Backend) | null,
  parts: Pick<Parameters<typeof engineOf>[0], "local" | "settings"> = {},
): Promise<SessionCounts> {
  const clock = new VirtualClock();
  const script = new TypedStretch(stretch);
  const meter =
    createBackend === null ? null : meterBackend(createBackend(clock, script), { clock });
  const counts = await replaySession({
    path: "a.ts",
    languageId: "typescript",
    script,
    person,
    engine: engineOf({ clock, ...(meter === null ? {} : { backend: meter.backend }), ...parts }),
    clock,
    meter,
    asksEveryKey: false,
    signal: new AbortController().signal,
  });
  if (counts === null) throw new Error("nobody interrupted it");
  expect(clock.pendingCount).toBe(0);
  return counts;
}

const units = stretch.target.length;

test("without any model every character is a key", async () => {
  const counts = await replay(attentive, null);
  expect(counts).toMatchObject({
    typedKeys: units,
    acceptKeys: 0,
    writtenUnits: units,
    acceptedUnits: 0,
    requests: units,
    reached: 0,
    late: 0,
    calls: { started: 0 },
    suggestions: { shown: 0, accepted: 0 },
  });
  // The keys, and a second of looking at the last one, and the time in which models end.
  expect(counts.virtualMs).toBeCloseTo(units * 200 + 200 + 1_000 + 200, 6);
});

test("a model that knows the line has it accepted with one key", async () => {
  const counts = await replay(attentive, (clock, script) =>
    createStandIn({ ttftMs: 40, rightShare: 1 }, { script, clock, seed: 1 }),
  );
  const { typedKeys, acceptKeys, acceptedUnits, calls, suggestions } = counts;
  // After the first key and after the line end the rest of the line is shown.
  expect({ typedKeys, acceptKeys, acceptedUnits }).toEqual({
    typedKeys: 2,
    acceptKeys: 2,
    acceptedUnits: units - 2,
  });
  expect(suggestions).toMatchObject({ shown: 2, seen: 2, accepted: 2, flickers: 0 });
  expect(counts.ttftMs.every((ms) => ms === 40)).toBe(true);
  expect(calls).toMatchObject({ failed: 0, wastedOutputTokens: 0 });
});

test("answers that come after the next key are late, and their calls are given up", async () => {
  const counts = await replay(steady, (clock, script) =>
    createStandIn({ ttftMs: 60_000, rightShare: 0 }, { script, clock, seed: 1 }),
  );
  const { reached, late, calls, suggestions } = counts;
  expect(suggestions.shown).toBe(0);
  expect(reached).toBeGreaterThan(0);
  // The last one is given up by the end, not by a key.
  expect(late).toBeGreaterThanOrEqual(reached - 1);
  expect(calls).toMatchObject({ started: reached, aborted: reached, wastedOutputTokens: 0 });
  expect(calls.estimated).toBe(reached);
});

test("a backend that fails is counted, and the typing goes on", async () => {
  const error = new CompletionError("BACKEND_BAD_RESPONSE", "no");
  const counts = await replay(
    steady,
    () => new FakeBackend({ script: { steps: [{ kind: "fail", error }] } }),
  );
  const { calls, failures, writtenUnits } = counts;
  expect(writtenUnits).toBe(units);
  expect(calls.failed).toBe(calls.started);
  expect(failures).toEqual({ BACKEND_BAD_RESPONSE: calls.failed });
});

test("the same seed gives the same session, with the local model too", async () => {
  const run = async (): Promise<unknown> => {
    const person = createPerson(stretch.target, createRandom(7));
    const text = "const total = sum(items);\nreport(total, items);\nreport(total, other);\n";
    const { measured, ...counts } = await replay(
      person,
      (clock, script) =>
        createStandIn({ ttftMs: 120, rightShare: 0.5 }, { script, clock, seed: 7 }),
      { local: localModelOf({ "b.ts": text }), settings: { isPrefetched: true, isHealed: true } },
    );
    expect(measured.contextMs.length).toBe(counts.requests);
    return counts;
  };
  expect(await run()).toEqual(await run());
});
