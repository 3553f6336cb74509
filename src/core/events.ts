/**
 * The events of a completion, from the request to what is left of it in the file ten minutes later.
 * They hold lengths, hashes, chances and reasons; never source text and never a path.
 *
 * Invariants: every `requested` ends in exactly one of produced, filtered, none, cancelled and error;
 * every `shown` in exactly one of accepted, rejected and ignored, partial accepts may precede;
 * `retained` comes only after an accept, with growing `afterSec`, and stops at `present: false`.
 * An event's id says what it is about, so that the same thing told twice is one event.
 */
import type { CompletionSource, NoCompletionReason, TriggerKind } from "./types.ts";

/** What can be said about a completion, in the order in which it happens. */
export const eventTypes = [
  "requested",
  "produced",
  "filtered",
  "none",
  "cancelled",
  "error",
  "shown",
  "accepted_partial",
  "accepted",
  "rejected",
  "ignored",
  "retained",
] as const;

/** One of `eventTypes`. */
export type EventType = (typeof eventTypes)[number];

/** Reasons that refuse a text that was there; the others say that there was none. */
export const filterReasons: readonly NoCompletionReason[] = [
  "duplicate",
  "repetition",
  "unbalanced",
  "syntax",
  "secret",
  "invisible-character",
  "below-threshold",
];

/** How a text, or a piece of it, was taken. `full` is the whole of what was on offer. */
export const acceptKinds = ["full", "word", "line", "other"] as const;

/** One of `acceptKinds`. */
export type AcceptKind = (typeof acceptKinds)[number];

/** Why a shown text was neither taken nor refused. */
export const ignoreReasons = [
  "superseded",
  "typed-over",
  "cursor-moved",
  "blur",
  "document-closed",
] as const;

/** One of `ignoreReasons`. */
export type IgnoreReason = (typeof ignoreReasons)[number];

/** Seconds after an accept at which is looked what is left of the text. */
export const retentionSeconds = [15, 30, 120, 300, 600] as const;

/** What the show rule knew of a text: enough to train a filter later, without the text. */
export interface JudgedText {
  /** Hash of the text next to the cursor: equal for equal places. */
  readonly context: string;
  /** Hash of the settings that decide about answers. */
  readonly configuration: string;
  /** Calibrated chance of being right, 0..1; `null` where uncalibrated. */
  readonly chance: number | null;
  /** Chance after adapting to this person; `null` while that is off. */
  readonly adapted: number | null;
  /** The chance that a text of this length had to reach. */
  readonly threshold: number;
  /** By name, see `showFeatures`. */
  readonly features: Readonly<Record<string, number>>;
}

/** What every event says. */
export interface EventBase {
  readonly v: 1;
  /** Unique; the same event told twice has the same id. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly ts: number;
  /** Random word of this installation. */
  readonly install: string;
  /** Random word of this process. */
  readonly session: string;
  /** Id of the completion. */
  readonly request: string;
  /** Keyed hash of the path; `""` for a text without one. */
  readonly doc: string;
  /** The editor's language id. */
  readonly lang: string;
  /** Who showed it: `http`, `playground`, an editor's name. */
  readonly client: string;
}

/** One event. Durations are milliseconds, lengths UTF-16 units. */
export type TelemetryEvent = EventBase &
  (
    | {
        readonly type: "requested";
        readonly trigger: TriggerKind;
      }
    | {
        readonly type: "produced";
        readonly source: CompletionSource;
        readonly model: string;
        readonly chars: number;
        readonly lines: number;
        readonly ms: number;
        readonly tokensIn: number;
        readonly tokensCached: number;
        readonly tokensOut: number;
        readonly judged: JudgedText;
      }
    | {
        readonly type: "filtered";
        readonly reason: NoCompletionReason;
        readonly ms: number;
        readonly judged: JudgedText;
      }
    | { readonly type: "none"; readonly reason: NoCompletionReason; readonly ms: number }
    | { readonly type: "cancelled"; readonly ms: number }
    | { readonly type: "error"; readonly code: string }
    | {
        readonly type: "shown";
        /** Which of the texts on offer, from 0. */
        readonly visibleIndex: number;
        /** True where the editor does not say so and it was concluded. */
        readonly inferred: boolean;
        readonly source: CompletionSource;
        readonly chars: number;
        readonly lines: number;
        readonly judged: JudgedText;
      }
    | {
        readonly type: "accepted_partial";
        readonly kind: AcceptKind;
        readonly chars: number;
        readonly visibleMs: number;
      }
    | {
        readonly type: "accepted";
        readonly kind: AcceptKind;
        /** Taken with this key, without what was taken in pieces before. */
        readonly chars: number;
        readonly visibleMs: number;
      }
    | { readonly type: "rejected"; readonly visibleMs: number }
    | {
        readonly type: "ignored";
        readonly why: IgnoreReason;
        readonly visibleMs: number;
        /** How much of it the person had typed by hand when it went. */
        readonly typedChars: number;
      }
    | {
        readonly type: "retained";
        readonly afterSec: number;
        /** Length of what was accepted. */
        readonly chars: number;
        /** Share of the characters that changed since, 0..1. */
        readonly charDiff: number;
        /** Share of the words and marks that changed since, 0..1. */
        readonly lexDiff: number;
        readonly present: boolean;
      }
  );

/** An event of one type. */
export type EventOf<Type extends EventType> = Extract<TelemetryEvent, { readonly type: Type }>;

/** Where events go. Must not throw and must not wait: it runs on the path of a key press. */
export interface EventSink {
  record(event: TelemetryEvent): void;
}
