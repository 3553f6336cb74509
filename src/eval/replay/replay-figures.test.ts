import { expect, test } from "vitest";
import { latencyBudget, stagesOver } from "./latency-budget.ts";
import { metricDifference, metricOver, replayMetrics } from "./replay-metrics.ts";
import type { SessionRow } from "./run-replay.ts";
import type { SessionCounts } from "./session-counts.ts";

const empty: SessionCounts = {
  typedKeys: 0,
  acceptKeys: 0,
  writtenUnits: 0,
  acceptedUnits: 0,
  requests: 0,
  outcomes: {},
  joins: 0,
  reached: 0,
  late: 0,
  failures: {},
  calls: {
    started: 0,
    prefetches: 0,
    aborted: 0,
    cut: 0,
    failed: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    wastedOutputTokens: 0,
    wastedPromptTokens: 0,
    estimated: 0,
  },
  suggestions: {
    shown: 0,
    shownUnits: 0,
    seen: 0,
    accepted: 0,
    partlyAccepted: 0,
    agreedKeys: 0,
    flickers: 0,
  },
  virtualMs: 0,
  waitMs: [],
  ttftMs: [],
  decodeMs: [],
  measured: { contextMs: [], postMs: [], realMs: 0, cpuMs: 0 },
};

function row(session: string, configuration: string, counts: Partial<SessionCounts>): SessionRow {
  const id = `${session}#${configuration}`;
  return { id, session, configuration, path: session, counts: { ...empty, ...counts } };
}

function figure(title: string, rows: readonly SessionRow[]): number | null {
  const metric = replayMetrics.find((one) => one.title === title);
  if (metric === undefined) throw new Error(`there is no ${title}`);
  return metricOver(metric, rows);
}

const rows = [
  row("a", "left", {
    typedKeys: 60,
    acceptKeys: 4,
    writtenUnits: 100,
    acceptedUnits: 40,
    requests: 64,
    outcomes: { cache: 8, "type-through": 16 },
    reached: 16,
    late: 4,
    calls: {
      ...empty.calls,
      started: 20,
      prefetches: 4,
      promptTokens: 1_000,
      cachedTokens: 800,
      outputTokens: 128,
      wastedOutputTokens: 32,
    },
    suggestions: { ...empty.suggestions, shown: 10, seen: 8, accepted: 3, partlyAccepted: 1 },
  }),
  row("b", "left", { typedKeys: 100, writtenUnits: 100, requests: 100 }),
];

test("figures over sessions are those that one gets by hand", () => {
  expect(figure("keystrokes saved", rows)).toBe((40 - 4) / 200);
  expect(figure("acceptance", rows)).toBe(4 / 8);
  expect(figure("cache hits", rows)).toBe(8 / 164);
  expect(figure("keys that reach a model", rows)).toBe(16 / 164);
  expect(figure("answers after the next key", rows)).toBe(4 / 16);
  expect(figure("calls per suggestion shown", rows)).toBe(2);
  expect(figure("prompt tokens evaluated per key", rows)).toBe(200 / 164);
  expect(figure("prompt tokens cached", rows)).toBe(0.8);
  expect(figure("generated tokens wasted", rows)).toBe(32 / 128);
  expect(figure("flicker", rows)).toBeNull();
});

test("two configurations are compared session by session", () => {
  const metric = replayMetrics.find(({ title }) => title === "keystrokes saved");
  if (metric === undefined) throw new Error("there is one");
  const both = [
    ...rows,
    row("a", "right", { writtenUnits: 100, acceptedUnits: 48, acceptKeys: 2 }),
    row("b", "right", { writtenUnits: 100, acceptedUnits: 11, acceptKeys: 1 }),
    row("only here", "right", { writtenUnits: 100, acceptedUnits: 90 }),
  ];
  const difference = metricDifference(metric, both, { left: "left", right: "right", seed: 1 });
  // 0.46 - 0.36 and 0.1 - 0.
  expect(difference?.difference).toBeCloseTo(0.1, 12);
  expect(difference?.low).toBeCloseTo(0.1, 12);
  expect(difference?.high).toBeCloseTo(0.1, 12);
  const single = both.filter(({ path }) => path === rows[0]?.path);
  const alone = metricDifference(metric, single, { left: "left", right: "right", seed: 1 });
  expect(alone).toMatchObject({ low: null, high: null });
  const none = metricDifference(metric, [], { left: "left", right: "right", seed: 1 });
  expect(none).toBeNull();
});

test("the budget names the line that is over", () => {
  const measured = { contextMs: [4, 5, 6], postMs: [], realMs: 0, cpuMs: 0 };
  const slow = row("a", "left", { waitMs: [25, 30, 35], ttftMs: [100, 120, 500], measured });
  const stages = latencyBudget([slow], { networkMs: 10 });
  expect(stages).toEqual([
    { name: "wait after the key", budgetMs: 50, p50Ms: 30, p95Ms: 35 },
    { name: "context", budgetMs: 15, p50Ms: 5, p95Ms: 6 },
    { name: "network", budgetMs: 20, p50Ms: 10, p95Ms: 10 },
    { name: "first token", budgetMs: 55, p50Ms: 110, p95Ms: 490 },
  ]);
  expect(stagesOver(stages)).toEqual([
    { name: "first token", at: "p50", measuredMs: 110, budgetMs: 55 },
  ]);
  const seldom = { ...measured, contextMs: [1, 2, 61] };
  expect(
    stagesOver(latencyBudget([row("a", "left", { measured: seldom })], { networkMs: 1 })),
  ).toEqual([{ name: "context", at: "p95", measuredMs: 61, budgetMs: 15 }]);
  const alone = latencyBudget([row("a", "left", { measured })], { networkMs: null });
  expect(alone.map(({ p50Ms }) => p50Ms)).toEqual([null, 5, null, null]);
});
