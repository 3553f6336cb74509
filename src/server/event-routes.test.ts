import { expect, onTestFinished, test } from "vitest";
import { CompletionError, noAdaptation, type TelemetryEvent } from "../core/index.ts";
import { Telemetry } from "../engine/index.ts";
import { usageReport } from "../stats/usage.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { httpCall, postJson } from "../testing/http-call.ts";
import { samples } from "../testing/prometheus.ts";
import { startServed } from "../testing/served.ts";
import type { ServerEvents } from "./ports.ts";
import { toStatsReply } from "./stats-reply.ts";

const nowMs = 1_790_000_000_000;
const line = "const total = items.reduce((sum, item) => sum + item.price, 0);\n";
const local = localModelOf({ "src/b.ts": line.repeat(3) });

/** A server with the events of an engine that has answered once. */
async function serve(changes: Partial<ServerEvents> = {}) {
  const clock = new FakeClock();
  const engine = engineOf({ clock, local, settings: { threshold: 0 } });
  const events: TelemetryEvent[] = [];
  const telemetry = new Telemetry({
    clock,
    sink: { record: (event) => void events.push(event) },
    wallNow: () => nowMs,
    install: "i",
    session: "s",
    client: "http",
    configuration: "c",
    hashPath: () => "h",
  });
  const stop = telemetry.follow(engine);
  const report = usageReport([], { dayOf: () => "", lookSeconds: [] });
  const about = { isEnabled: true, isAdapting: true, adaptation: noAdaptation };
  const served = await startServed({
    events: {
      telemetry,
      flush: async () => {},
      stats: async (days) => toStatsReply(report, { ...about, days }),
      wallNow: () => nowMs,
      ...changes,
    },
  });
  onTestFinished(async () => {
    stop();
    await served.server.close();
  });
  const { signal } = new AbortController();
  const { id } = await engine.complete(requestAt("const total = █"), { signal });
  events.length = 0;
  return { ...served, events, id };
}

function event(id: string, request: string, fields: Readonly<Record<string, unknown>>) {
  return { id, request, ts: 5_000, ...fields };
}

test("A batch is told in its order, by the clock of the server, each id once.", async () => {
  const { port, events, id } = await serve();
  const batch = {
    sent_at: 6_000,
    client: "my-editor",
    events: [
      event("1", id, { type: "shown" }),
      event("1", id, { type: "shown" }),
      event("2", "from another server", { type: "shown" }),
      event("3", id, { type: "accepted_partial", kind: "word", chars: 5 }),
      event("4", id, { type: "accepted", ts: 5_800 }),
    ],
  };
  const answer = await postJson(port, "/v1/events", batch);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    200,
    { enabled: true, taken: 3, repeated: 1, unknown: 1 },
  ]);
  expect(events.map(({ type, ts, client }) => [type, ts - nowMs, client])).toEqual([
    ["shown", -1_000, "my-editor"],
    ["accepted_partial", -1_000, "my-editor"],
    ["accepted", -200, "my-editor"],
  ]);
  const again = await postJson(port, "/v1/events", batch);
  expect(JSON.parse(again.body)).toMatchObject({ taken: 0, repeated: 4 });
  expect(events).toHaveLength(3);
});

test("What is refused or ignored is told with its reason.", async () => {
  const { port, events, id } = await serve();
  const told = async (...list: readonly object[]) =>
    (await postJson(port, "/v1/events", { sent_at: 0, events: list })).status;
  await told(event("1", id, { type: "shown", visible_index: 0, inferred: true }));
  await told(
    event("2", id, { type: "ignored", why: "blur" }),
    event("3", id, { type: "rejected" }),
  );
  expect(events.map(({ type }) => type)).toEqual(["shown", "ignored"]);
  expect(events[0]).toMatchObject({ inferred: true, client: "http" });
  expect(events[1]).toMatchObject({ why: "blur" });
});

test.each([
  [{ events: [] }, "sent_at is missing"],
  [{ sent_at: "now", events: [] }, "sent_at must be a number, got a string"],
  [{ sent_at: 1, events: {} }, "events must be an array, got an object"],
  [{ sent_at: 1, events: [{ id: "", request: "r", ts: 1 }] }, "events[0].id is empty"],
  [{ sent_at: 1, events: [{ id: "a", request: "r", ts: 1 }] }, "events[0].type is missing"],
  [
    { sent_at: 1, events: [{ id: "a", request: "r", ts: 1, type: "requested" }] },
    "events[0].type must be one of shown, accepted_partial, accepted, rejected, ignored",
  ],
  [
    { sent_at: 1, events: [{ id: "a", request: "r", ts: 1, type: "accepted_partial" }] },
    "events[0].chars is missing",
  ],
  [
    { sent_at: 1, events: [{ id: "a", request: "r", ts: 1, type: "ignored" }] },
    "events[0].why is missing",
  ],
  [{ sent_at: 1, events: new Array(501).fill({}) }, "events has 501 items, at most 500 are taken"],
])("A wrong batch is refused as a whole, with its field: %j", async (body, says) => {
  const { port, events } = await serve();
  const answer = await postJson(port, "/v1/events", body);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).error.message).toContain(says);
  expect(events).toEqual([]);
});

test("A batch that cannot be kept is an error, so that it is sent again.", async () => {
  const full = new CompletionError("STORAGE_FULL", "no space is left");
  const { port, id } = await serve({ flush: () => Promise.reject(full) });
  const body = { sent_at: 1, events: [event("1", id, { type: "shown" })] };
  const answer = await postJson(port, "/v1/events", body);
  expect(answer.status).toBe(full.status);
  expect(JSON.parse(answer.body).error.code).toBe("STORAGE_FULL");
});

test("Statistics are asked for by days.", async () => {
  const { port } = await serve();
  const days = async (query: string) => {
    const { status, body } = await httpCall(port, { path: `/v1/stats${query}` });
    return status === 200 ? JSON.parse(body).days : status;
  };
  expect([await days(""), await days("?days=7")]).toEqual([30, 7]);
  const wrong = ["?days=0", "?days=x", "?days=1.5", "?days=4000", "?days=1&days=2"];
  expect(await Promise.all(wrong.map(days))).toEqual(wrong.map(() => 400));
});

test("A server without events takes a batch and keeps nothing.", async () => {
  const { port, server } = await startServed();
  onTestFinished(() => server.close());
  const answer = await postJson(port, "/v1/events", { sent_at: 1, events: [] });
  expect(JSON.parse(answer.body)).toEqual({ enabled: false, taken: 0, repeated: 0, unknown: 0 });
  expect((await httpCall(port, { path: "/v1/stats" })).status).toBe(404);
});

test("Events are counted by type.", async () => {
  const { metrics, events, id, port } = await serve();
  const list = [event("1", id, { type: "shown" }), event("2", id, { type: "accepted", chars: 12 })];
  await postJson(port, "/v1/events", { sent_at: 6_000, events: list });
  for (const one of events) metrics.eventRecorded(one);
  const text = await metrics.text();
  expect(samples(text, "midspan_events_total")).toEqual(
    expect.arrayContaining(['type="shown" 1', 'type="accepted" 1', 'type="retained" 0']),
  );
  expect(samples(text, "midspan_accepted_characters_total")).toEqual(["12"]);
});
