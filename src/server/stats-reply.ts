import { type Adaptation, LEAST_LABELS, shareOf } from "../core/index.ts";
import type { StatsReply, WireUsage, WireUsagePart } from "../protocol/stats.ts";
import type { Usage, UsagePart, UsageReport } from "../stats/usage.ts";

/** The report of some days in the words of the wire. */
export function toStatsReply(
  report: UsageReport,
  about: {
    readonly days: number;
    readonly isEnabled: boolean;
    readonly isAdapting: boolean;
    readonly adaptation: Adaptation;
  },
): StatsReply {
  const { adaptation } = about;
  return {
    enabled: about.isEnabled,
    days: about.days,
    total: toWire(report.total),
    languages: report.languages.map(toPart),
    sources: report.sources.map(toPart),
    by_day: report.days.map(toPart),
    warnings: report.warnings,
    adaptation: {
      enabled: about.isAdapting,
      decisions: adaptation.labels,
      decisions_needed: LEAST_LABELS,
      share: about.isAdapting ? shareOf(adaptation) : 0,
      bias: adaptation.bias,
      slope: adaptation.slope,
      weights: adaptation.weights,
    },
  };
}

function toPart({ key, usage }: UsagePart): WireUsagePart {
  return { key, usage: toWire(usage) };
}

function toWire(usage: Usage): WireUsage {
  const { ends, acceptance, latency } = usage;
  return {
    requests: usage.requests,
    produced: ends.produced,
    filtered: ends.filtered,
    none: ends.none,
    cancelled: ends.cancelled,
    errors: ends.error,
    reasons: usage.reasons,
    shown: acceptance.shown,
    counted: acceptance.counted,
    accepted: acceptance.accepted,
    partly_accepted: acceptance.partly,
    rejected: acceptance.rejected,
    ignored: acceptance.ignored,
    acceptance_rate: acceptance.rate,
    weighted_acceptance_rate: acceptance.weightedRate,
    reject_rate: acceptance.rejectRate,
    accepted_chars: acceptance.acceptedChars,
    mean_accepted_chars: acceptance.meanAcceptedChars,
    hours: usage.hours,
    shown_per_hour: usage.shownPerHour,
    accepted_chars_per_hour: usage.acceptedCharsPerHour,
    retained_chars_per_hour: usage.retainedCharsPerHour,
    requests_per_shown: usage.requestsPerShown,
    latency_ms: { count: latency.count, p50: latency.p50, p95: latency.p95 },
    retention: usage.retention.map(({ afterSec, edits, present, kept }) => ({
      after_seconds: afterSec,
      edits,
      present,
      kept,
    })),
  };
}
