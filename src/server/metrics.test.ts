import { expect, test } from "vitest";
import { noCompletionReasons } from "../core/index.ts";
import type { ModelUse } from "../engine/index.ts";
import { samples } from "../testing/prometheus.ts";
import { engineResult } from "../testing/scripted-engine.ts";
import { Metrics } from "./metrics.ts";

test("The reasons are exactly those of the closed list.", async () => {
  const metrics = new Metrics();
  metrics.finished(
    "automatic",
    engineResult("", { outcome: { kind: "none", reason: "secret" }, source: null }),
    1,
  );
  expect(samples(await metrics.text(), "midspan_none_total")).toEqual(
    noCompletionReasons.map((reason) => `reason="${reason}" ${reason === "secret" ? 1 : 0}`),
  );
});

test("Each request is counted once, by trigger, outcome and source.", async () => {
  const metrics = new Metrics();
  const usage = { inputTokens: 10, cachedTokens: 8, outputTokens: 3 };
  metrics.finished("invoked", engineResult("a", { source: "model", usage }), 30);
  metrics.finished("automatic", engineResult("a"), 3);
  metrics.finished("automatic", engineResult("a"), 4);
  metrics.broken("automatic", "cancelled");
  metrics.broken("invoked", "error");
  const text = await metrics.text();
  expect(samples(text, "midspan_requests_total")).toEqual([
    'trigger="invoked",outcome="produced",source="model" 1',
    'trigger="automatic",outcome="produced",source="local" 2',
    'trigger="automatic",outcome="cancelled",source="none" 1',
    'trigger="invoked",outcome="error",source="none" 1',
  ]);
  expect(samples(text, "midspan_request_duration_seconds_count")).toEqual([
    'source="model" 1',
    'source="local" 2',
  ]);
  expect(samples(text, "midspan_request_duration_seconds_bucket")).toContain(
    'le="0.005",source="local" 2',
  );
  expect(samples(text, "midspan_tokens_total")).toEqual([
    'kind="input" 10',
    'kind="cached" 8',
    'kind="output" 3',
  ]);
});

test("The cascade is counted by the engine and read at each scrape.", async () => {
  const metrics = new Metrics();
  let use: ModelUse | null = null;
  metrics.watchModel(() => use);
  expect(samples(await metrics.text(), "midspan_keys_total")).toEqual([]);
  use = { keys: 20, asked: 5, ended: 4, late: 1, failed: 2 };
  await metrics.text();
  const text = await metrics.text();
  expect(samples(text, "midspan_keys_total")).toEqual(['model="asked" 5', 'model="not_asked" 15']);
  expect(samples(text, "midspan_model_answers_total")).toEqual([
    'timing="in_time" 1',
    'timing="late" 1',
    'timing="failed" 2',
  ]);
});

test("Load is read at the scrape; process metrics are there at the first.", async () => {
  const metrics = new Metrics();
  const load = { inFlight: 0, queued: 0 };
  metrics.watchLoad(load);
  load.inFlight = 2;
  load.queued = 1;
  const { user, system } = process.cpuUsage();
  const text = await metrics.text();
  expect([samples(text, "midspan_inflight"), samples(text, "midspan_queued")]).toEqual([
    ["2"],
    ["1"],
  ]);
  const [cpuSeconds] = samples(text, "process_cpu_seconds_total");
  expect(Number(cpuSeconds)).toBeGreaterThanOrEqual((user + system) / 1e6);
  expect(samples(await metrics.text(), "process_resident_memory_bytes")).toHaveLength(1);
});
