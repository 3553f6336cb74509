import { expect, test } from "vitest";
import { isReached } from "./bench-report.ts";
import type { CrowdSpeed, WaySpeed } from "./inference-load.ts";
import type { ReplayCounts } from "./inference-replay.ts";
import { formatInferenceBench, inferenceChecks } from "./inference-report.ts";

const machine = { processor: "p", cores: 2, memoryGb: 8, system: "s", node: "v", load: 0 };
const nothing = {
  ...{ machine, replays: [], load: null, abort: null, quality: [], healing: [] },
  ...{ windows: [], blocks: null },
};
const replay: ReplayCounts = {
  name: "ours, suffix second",
  keys: 100,
  requests: 50,
  leftEarly: 3,
  newTokens: { median: 2, p95: 70, mean: 5 },
  askedKeys: null,
  beyondSuffix: null,
  cachedShare: 0.99,
  promptTokensPerKey: 2,
  generatedTokensPerKey: 4,
  outcomes: { model: 100 },
  wastedShare: 0.01,
};

test("Parts that did not run have no goals.", () => {
  expect(inferenceChecks(nothing)).toEqual([]);
  expect(formatInferenceBench({ ...nothing, checks: [] })).toContain("2 cores");
});

test("Each way of typing is held against its own goal, and the others against ours.", () => {
  const sliding = { ...replay, name: "plain, sliding window", promptTokensPerKey: 900 };
  const report = { ...nothing, replays: [replay, sliding] };
  const checks = inferenceChecks(report);
  expect(checks.map((check) => [check.value, isReached(check)])).toEqual([
    [2, true],
    [70, false],
  ]);
  expect(formatInferenceBench({ ...report, checks })).toMatch(/plain, sliding window +\| +450/);
});

test("What we add is held against the goal, and what a bare relay adds stands beside it.", () => {
  const way = (p50: number): WaySpeed => ({
    firstTokenMs: { p50, p95: 2 * p50 },
    textMs: { p50: 4 * p50, p95: 8 * p50 },
  });
  const crowd = (editors: number): CrowdSpeed => ({
    ...{ editors, requests: 10, differing: 0 },
    ways: { gateway: way(13), relay: way(11), straight: way(10) },
    added: { gateway: way(3), relay: way(1) },
    cpuMs: { callers: 1, gateway: 2, relay: 0.5, server: null },
  });
  const requestsPerSecond = { gateway: 70, relay: 80, straight: 90 };
  const load = { alone: crowd(1), crowd: crowd(10), requestsPerSecond };
  const report = { ...nothing, load };
  const checks = inferenceChecks(report);
  expect(checks.map(({ name, value }) => [name, value])).toEqual([
    ["added to the first token, 10 editors, median of pairs", 3],
  ]);
  const text = formatInferenceBench({ ...report, checks });
  expect(text).toMatch(/One editor after the other, 10 requests each way/);
  expect(text).toMatch(/Midspan 2 ms, the relay 0.500 ms, the callers 1 ms/);
  expect(text).toMatch(/added by a bare relay, pairs +\| +1 \| +2 \| +4 \| +8 \| +\|/);
});
