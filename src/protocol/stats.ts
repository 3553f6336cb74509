/** Wire types of `GET /v1/stats`, which `midspan stats --json` prints too. Rates are 0..1. */

/** What the journal says about some days. `null` stands where there is nothing to divide by. */
export interface StatsReply {
  /** False: no events are kept. */
  readonly enabled: boolean;
  readonly days: number;
  readonly total: WireUsage;
  readonly languages: readonly WireUsagePart[];
  readonly sources: readonly WireUsagePart[];
  /** Days on which something was asked, oldest first, as `2026-11-30` in universal time. */
  readonly by_day: readonly WireUsagePart[];
  readonly warnings: readonly string[];
  readonly adaptation: WireAdaptation;
}

/** One language, source or day. */
export interface WireUsagePart {
  readonly key: string;
  readonly usage: WireUsage;
}

/** Sums over some requests. Lengths are UTF-16 units. */
export interface WireUsage {
  readonly requests: number;
  readonly produced: number;
  readonly filtered: number;
  readonly none: number;
  readonly cancelled: number;
  readonly errors: number;
  /** Requests without a text by reason, failed ones by code. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly shown: number;
  /** On screen for at least 750 ms, or taken. */
  readonly counted: number;
  readonly accepted: number;
  readonly partly_accepted: number;
  readonly rejected: number;
  readonly ignored: Readonly<Record<string, number>>;
  readonly acceptance_rate: number | null;
  readonly weighted_acceptance_rate: number | null;
  readonly reject_rate: number | null;
  readonly accepted_chars: number;
  readonly mean_accepted_chars: number | null;
  readonly hours: number;
  readonly shown_per_hour: number | null;
  readonly accepted_chars_per_hour: number | null;
  readonly retained_chars_per_hour: number | null;
  readonly requests_per_shown: number | null;
  readonly latency_ms: {
    readonly count: number;
    readonly p50: number | null;
    readonly p95: number | null;
  };
  readonly retention: readonly WireRetention[];
}

/** What is left of accepted edits after a while. */
export interface WireRetention {
  readonly after_seconds: number;
  readonly edits: number;
  readonly present: number | null;
  readonly kept: number | null;
}

/** What the show rule learned from its one user. */
export interface WireAdaptation {
  readonly enabled: boolean;
  readonly decisions: number;
  /** Fewer decisions change nothing. */
  readonly decisions_needed: number;
  /** How much the person's own rule counts, 0..1. */
  readonly share: number;
  readonly bias: number;
  readonly slope: number;
  readonly weights: Readonly<Record<string, number>>;
}
