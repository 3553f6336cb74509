/** Every figure against one worked out by hand. */
import { describe, expect, test } from "vitest";
import { acceptanceOf } from "./acceptance.ts";
import { activeHours } from "./activity.ts";
import type { CompletionRecord, ShownRecord } from "./completion-record.ts";
import { retainedChars, retentionAt } from "./retention.ts";
import { usageReport } from "./usage.ts";

function shown(changes: Partial<ShownRecord>): ShownRecord {
  const usual = {
    chars: 20,
    source: "local",
    end: "ignored",
    why: null,
    visibleMs: 2_000,
  } as const;
  return { ...usual, acceptedChars: 0, looks: [], ...changes };
}

function record(ts: number, changes: Partial<CompletionRecord> = {}): CompletionRecord {
  const usual = { lang: "typescript", client: "test", end: "produced", reason: null } as const;
  return { ts, ...usual, source: "local", ms: 4, shown: null, ...changes };
}

const look = (afterSec: number, charDiff: number, present = true) => ({
  afterSec,
  charDiff,
  present,
});

const five: readonly ShownRecord[] = [
  shown({ end: "accepted", acceptedChars: 20, looks: [look(15, 0), look(30, 0.25)] }),
  shown({ acceptedChars: 8, why: "cursor-moved", looks: [look(15, 1, false)] }),
  shown({ end: "rejected", chars: 30 }),
  // A glance is no decision.
  shown({ why: "typed-over", visibleMs: 749 }),
  shown({ end: "open", visibleMs: null }),
];

describe("acceptance", () => {
  test("counts what was seen for 0.75 s or taken", () => {
    expect(acceptanceOf(five)).toEqual({
      shown: 5,
      counted: 3,
      accepted: 1,
      partly: 1,
      rejected: 1,
      ignored: { "cursor-moved": 1, "typed-over": 1 },
      open: 1,
      rate: 2 / 3,
      weightedRate: 28 / 70,
      rejectRate: 1 / 5,
      acceptedChars: 28,
      meanAcceptedChars: 14,
    });
  });

  test("is unknown, not nothing, without a sample", () => {
    expect(acceptanceOf([])).toMatchObject({
      rate: null,
      weightedRate: null,
      rejectRate: null,
      meanAcceptedChars: null,
    });
  });
});

describe("retention", () => {
  test("knows of what is gone that it stays gone", () => {
    expect(retentionAt(five, [15, 30, 120])).toEqual([
      { afterSec: 15, edits: 2, present: 1 / 2, kept: 1 / 2 },
      { afterSec: 30, edits: 2, present: 1 / 2, kept: 0.75 / 2 },
      { afterSec: 120, edits: 1, present: 0, kept: 0 },
    ]);
  });

  test("counts the characters that were unchanged at the last look", () => {
    expect(five.map(retainedChars)).toEqual([15, 0, 0, 0, 0]);
  });
});

test("Time at work leaves out pauses of more than five minutes.", () => {
  const minutes = (...times: number[]): number[] => times.map((time) => time * 60_000);
  expect(activeHours([])).toBe(0);
  expect(activeHours([5])).toBeCloseTo(1 / 60);
  expect(activeHours(minutes(15, 0, 4, 10, 14, 60))).toBeCloseTo(9 / 60);
});

describe("the report", () => {
  const minute = 60_000;
  const records = [
    ...five.map((one, i) => record(i * 3 * minute, { shown: one, ms: 10 * (i + 1) })),
    record(15 * minute, { end: "none", reason: "policy", source: null, lang: "go" }),
    record(18 * minute, { end: "error", reason: "BACKEND_TIMEOUT", source: null, ms: null }),
    record(100 * minute, { source: "model", ms: 200 }),
  ];
  const report = usageReport(records, {
    dayOf: (ms) => (ms < 50 * minute ? "day 1" : "day 2"),
    lookSeconds: [15, 30],
  });

  test("sums up", () => {
    // Requests three minutes apart for 18 minutes, then a pause.
    expect(report.total.hours).toBeCloseTo(0.3);
    expect(report.total.shownPerHour).toBeCloseTo(5 / 0.3);
    expect(report.total.acceptedCharsPerHour).toBeCloseTo(28 / 0.3);
    expect(report.total.retainedCharsPerHour).toBeCloseTo(15 / 0.3);
    expect(report.total).toMatchObject({
      requests: 8,
      ends: { produced: 6, filtered: 0, none: 1, cancelled: 0, error: 1, open: 0 },
      reasons: { policy: 1, BACKEND_TIMEOUT: 1 },
      requestsPerShown: 8 / 5,
      latency: { count: 6, p50: 30, p95: 200 },
    });
  });

  test("has parts by language, source and day", () => {
    const counts = (parts: typeof report.days) =>
      parts.map((part) => [part.key, part.usage.requests]);
    expect(counts(report.languages)).toEqual([
      ["typescript", 7],
      ["go", 1],
    ]);
    expect(counts(report.sources)).toEqual([
      ["local", 5],
      ["model", 1],
    ]);
    expect(counts(report.days)).toEqual([
      ["day 1", 7],
      ["day 2", 1],
    ]);
  });

  test("warns when accepted texts get much shorter", () => {
    const taken = (i: number, acceptedChars: number) =>
      record(i, { shown: shown({ end: "accepted", acceptedChars }) });
    const halves = (now: number) =>
      Array.from({ length: 40 }, (_, i) => taken(i, i < 20 ? 20 : now));
    const warningsOf = (halved: readonly CompletionRecord[]) =>
      usageReport(halved, { dayOf: () => "", lookSeconds: [] }).warnings;
    expect(warningsOf(halves(17))).toEqual([]);
    expect(warningsOf(halves(16))).toHaveLength(1);
  });
});
