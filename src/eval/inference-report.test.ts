import { expect, test } from "vitest";
import { isReached } from "./bench-report.ts";
import type { ReplayCounts } from "./inference-replay.ts";
import { formatInferenceBench, inferenceChecks } from "./inference-report.ts";

const machine = { processor: "p", cores: 2, memoryGb: 8, system: "s", node: "v", load: 0 };
const nothing = { machine, replays: [], load: null, abort: null, quality: [], healing: [] };
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
