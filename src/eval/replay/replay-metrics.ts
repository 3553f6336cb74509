/**
 * The figures of a replay, each a sum over the sessions or a quotient of two. Definitions:
 * keystrokes saved: (characters accepted - keys that accepted them) / characters written;
 * acceptance: suggestions accepted, whole or in part / suggestions that stood 750 ms or were accepted;
 * flicker: keys that agreed with the text on the screen and after which another stood there / keys
 * that agreed;
 * late: requests that reached a model and had no answer when the next key came / requests that did;
 * wasted: tokens of calls of whose text nothing was shown.
 */
import { pairedBootstrap } from "../../stats/paired-bootstrap.ts";
import { createRandom } from "../../stats/random.ts";
import type { Unit } from "../report/report.ts";
import { pairRows, type SessionRow } from "./run-replay.ts";
import type { SessionCounts } from "./session-counts.ts";

/** One figure. */
export interface ReplayMetric {
  readonly title: string;
  readonly unit: Unit;
  readonly top: (counts: SessionCounts) => number;
  /** `null` for a sum. */
  readonly bottom: ((counts: SessionCounts) => number) | null;
}

const keys = ({ typedKeys, acceptKeys }: SessionCounts): number => typedKeys + acceptKeys;
const requests = (counts: SessionCounts): number => counts.requests;
const written = ({ writtenUnits }: SessionCounts): number => writtenUnits;
const outcome =
  (name: string) =>
  ({ outcomes }: SessionCounts): number =>
    outcomes[name] ?? 0;
const evaluated = ({ calls }: SessionCounts): number => calls.promptTokens - calls.cachedTokens;

/** In the order of the table. */
export const replayMetrics: readonly ReplayMetric[] = [
  { title: "characters written", unit: "count", top: written, bottom: null },
  { title: "characters accepted", unit: "count", top: (c) => c.acceptedUnits, bottom: null },
  { title: "key presses", unit: "count", top: keys, bottom: null },
  {
    title: "keystrokes saved",
    unit: "share",
    top: (c) => c.acceptedUnits - c.acceptKeys,
    bottom: written,
  },
  { title: "suggestions shown", unit: "count", top: (c) => c.suggestions.shown, bottom: null },
  {
    title: "suggestions accepted",
    unit: "count",
    top: (c) => c.suggestions.accepted,
    bottom: null,
  },
  {
    title: "accepted in part",
    unit: "count",
    top: (c) => c.suggestions.partlyAccepted,
    bottom: null,
  },
  {
    title: "acceptance",
    unit: "share",
    top: (c) => c.suggestions.accepted + c.suggestions.partlyAccepted,
    bottom: (c) => c.suggestions.seen,
  },
  {
    title: "flicker",
    unit: "share",
    top: (c) => c.suggestions.flickers,
    bottom: (c) => c.suggestions.agreedKeys,
  },
  { title: "requests", unit: "count", top: requests, bottom: null },
  { title: "typed along", unit: "share", top: outcome("type-through"), bottom: requests },
  { title: "cache hits", unit: "share", top: outcome("cache"), bottom: requests },
  { title: "asked ahead in time", unit: "share", top: outcome("prefetch"), bottom: requests },
  { title: "joined", unit: "share", top: (c) => c.joins, bottom: requests },
  {
    title: "keys that reach a model",
    unit: "share",
    top: (c) => c.reached,
    bottom: requests,
  },
  {
    title: "answers after the next key",
    unit: "share",
    top: (c) => c.late,
    bottom: (c) => c.reached,
  },
  { title: "model calls", unit: "count", top: (c) => c.calls.started, bottom: null },
  { title: "asked ahead", unit: "count", top: (c) => c.calls.prefetches, bottom: null },
  { title: "calls aborted", unit: "count", top: (c) => c.calls.aborted, bottom: null },
  { title: "calls cut when final", unit: "count", top: (c) => c.calls.cut, bottom: null },
  { title: "calls failed", unit: "count", top: (c) => c.calls.failed, bottom: null },
  {
    title: "calls per suggestion shown",
    unit: "",
    top: (c) => c.calls.started,
    bottom: (c) => c.suggestions.shown,
  },
  { title: "prompt tokens evaluated per key", unit: "", top: evaluated, bottom: keys },
  {
    title: "prompt tokens cached",
    unit: "share",
    top: (c) => c.calls.cachedTokens,
    bottom: (c) => c.calls.promptTokens,
  },
  {
    title: "tokens generated per key",
    unit: "",
    top: (c) => c.calls.outputTokens,
    bottom: keys,
  },
  {
    title: "generated tokens wasted",
    unit: "share",
    top: (c) => c.calls.wastedOutputTokens,
    bottom: (c) => c.calls.outputTokens,
  },
];

/** Over all sessions; `null` where the quotient has nothing below. */
export function metricOver(metric: ReplayMetric, rows: readonly SessionRow[]): number | null {
  const sumOf = (of: (counts: SessionCounts) => number): number =>
    rows.reduce((sum, { counts }) => sum + of(counts), 0);
  const top = sumOf(metric.top);
  if (metric.bottom === null) return top;
  const bottom = sumOf(metric.bottom);
  return bottom === 0 ? null : top / bottom;
}

/** A difference of two configurations over the same sessions, right less left. */
export interface MetricDifference {
  readonly difference: number;
  /** 95 % interval; `null` where all sessions are of one file. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The mean difference per session with its interval; files are drawn together. A session in which a
 * quotient has nothing below on either side counts not. `null` without any session.
 */
export function metricDifference(
  metric: ReplayMetric,
  rows: readonly SessionRow[],
  options: { readonly left: string; readonly right: string; readonly seed: number },
): MetricDifference | null {
  const pairs = pairRows(rows, options).flatMap(({ left, right }) => {
    const [leftValue, rightValue] = [metricOver(metric, [left]), metricOver(metric, [right])];
    return leftValue === null || rightValue === null
      ? []
      : [{ left: leftValue, right: rightValue, cluster: left.path }];
  });
  if (pairs.length === 0) return null;
  const interval = pairedBootstrap(pairs, { random: createRandom(options.seed) });
  const isOneFile = new Set(pairs.map(({ cluster }) => cluster)).size === 1;
  return isOneFile ? { ...interval, low: null, high: null } : interval;
}
