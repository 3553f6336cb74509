/** What `midspan stats` and the dashboard say: one summary of the records of some days. */
import { type Acceptance, acceptanceOf, ratio } from "./acceptance.ts";
import { activeHours } from "./activity.ts";
import type { CompletionRecord, ShownRecord } from "./completion-record.ts";
import { type RetentionAt, retainedChars, retentionAt } from "./retention.ts";
import { percentile } from "./summary.ts";

/** A fall of the accepted length by more than this share is a warning (trivial suggestions). */
const MAX_FALL = 0.15;
/** Fewer accepted texts in each half say nothing about a fall. */
const LEAST_FOR_FALL = 20;

/** The summary of some records. */
export interface Usage {
  readonly requests: number;
  /** How the requests ended. */
  readonly ends: Readonly<Record<CompletionRecord["end"], number>>;
  /** Requests without a text by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly acceptance: Acceptance;
  readonly retention: readonly RetentionAt[];
  /** Hours in which somebody was at work, see `activeHours`. */
  readonly hours: number;
  readonly shownPerHour: number | null;
  readonly acceptedCharsPerHour: number | null;
  readonly retainedCharsPerHour: number | null;
  readonly requestsPerShown: number | null;
  /** Milliseconds of requests that produced a text. */
  readonly latency: Latency;
}

/** Milliseconds; `null` without a sample. */
export interface Latency {
  readonly count: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** A part of the records, by language, source or day. */
export interface UsagePart {
  readonly key: string;
  readonly usage: Usage;
}

/** A summary and its parts. */
export interface UsageReport {
  readonly total: Usage;
  readonly languages: readonly UsagePart[];
  readonly sources: readonly UsagePart[];
  /** Days on which something was asked, oldest first. */
  readonly days: readonly UsagePart[];
  /** Sentences on what looks wrong; empty when nothing does. */
  readonly warnings: readonly string[];
}

/** Sums up records in any order. */
export function usageReport(
  records: readonly CompletionRecord[],
  options: {
    /** Names the day of a time. */
    readonly dayOf: (ms: number) => string;
    /** Times after an accept at which events say what is left of the text. */
    readonly lookSeconds: readonly number[];
  },
): UsageReport {
  const { dayOf, lookSeconds } = options;
  const partsBy = (keyOf: (record: CompletionRecord) => string | null): UsagePart[] =>
    partsOf(records, { keyOf, lookSeconds });
  return {
    total: usageOf(records, lookSeconds),
    languages: partsBy(({ lang }) => lang || "unknown"),
    sources: partsBy(({ source }) => source),
    days: partsBy(({ ts }) => dayOf(ts)).sort((a, b) => (a.key < b.key ? -1 : 1)),
    warnings: warningsOf(records),
  };
}

function usageOf(records: readonly CompletionRecord[], lookSeconds: readonly number[]): Usage {
  const shown = shownOf(records);
  const ends = { produced: 0, filtered: 0, none: 0, cancelled: 0, error: 0, open: 0 };
  const reasons: Record<string, number> = {};
  for (const { end, reason } of records) {
    ends[end]++;
    if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  const acceptance = acceptanceOf(shown);
  const hours = activeHours(records.map(({ ts }) => ts));
  const retained = shown.reduce((total, one) => total + retainedChars(one), 0);
  return {
    requests: records.length,
    ends,
    reasons,
    acceptance,
    retention: retentionAt(shown, lookSeconds),
    hours,
    shownPerHour: ratio(shown.length, hours),
    acceptedCharsPerHour: ratio(acceptance.acceptedChars, hours),
    retainedCharsPerHour: ratio(retained, hours),
    requestsPerShown: ratio(records.length, shown.length),
    latency: latencyOf(records),
  };
}

function latencyOf(records: readonly CompletionRecord[]): Latency {
  const times = records.flatMap(({ end, ms }) => (end === "produced" && ms !== null ? [ms] : []));
  if (times.length === 0) return { count: 0, p50: null, p95: null };
  return { count: times.length, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** The largest part first; records without a key are in none. */
function partsOf(
  records: readonly CompletionRecord[],
  options: {
    readonly keyOf: (record: CompletionRecord) => string | null;
    readonly lookSeconds: readonly number[];
  },
): UsagePart[] {
  const { keyOf, lookSeconds } = options;
  const parts = new Map<string, CompletionRecord[]>();
  for (const record of records) {
    const key = keyOf(record);
    if (key === null) continue;
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [record]);
    else part.push(record);
  }
  return [...parts]
    .map(([key, part]) => ({ key, usage: usageOf(part, lookSeconds) }))
    .sort((a, b) => b.usage.requests - a.usage.requests || (a.key < b.key ? -1 : 1));
}

/** Short texts are easily accepted and save little: the rate alone would not show that. */
function warningsOf(records: readonly CompletionRecord[]): readonly string[] {
  const taken = [...records]
    .sort((a, b) => a.ts - b.ts)
    .flatMap(({ shown }) => (shown !== null && shown.acceptedChars > 0 ? [shown] : []));
  const middle = taken.length >> 1;
  if (middle < LEAST_FOR_FALL) return [];
  const before = acceptanceOf(taken.slice(0, middle)).meanAcceptedChars ?? 0;
  const after = acceptanceOf(taken.slice(middle)).meanAcceptedChars ?? 0;
  if (after >= before * (1 - MAX_FALL)) return [];
  return [
    `Accepted texts got shorter: ${before.toFixed(1)} characters on average before, ${after.toFixed(1)} now. A rising acceptance rate may come from trivial suggestions.`,
  ];
}

function shownOf(records: readonly CompletionRecord[]): readonly ShownRecord[] {
  return records.flatMap(({ shown }) => (shown === null ? [] : [shown]));
}
