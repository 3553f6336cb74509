/** One request and what became of it, as far as statistics ask. The journal is read into these. */

/** What became of a shown text. */
export type SuggestionEnd = "accepted" | "rejected" | "ignored" | "open";

/** One look at an accepted text. */
export interface RetainedLook {
  readonly afterSec: number;
  /** Share of the characters that changed since, 0..1; 1 where the text is gone. */
  readonly charDiff: number;
  readonly present: boolean;
}

/** A text that was on screen. Lengths are UTF-16 units. */
export interface ShownRecord {
  readonly chars: number;
  readonly source: string;
  readonly end: SuggestionEnd;
  /** Why it was ignored; `null` otherwise. */
  readonly why: string | null;
  /** How long it was on screen; `null` while it still is. */
  readonly visibleMs: number | null;
  /** Taken with accepts of any kind. */
  readonly acceptedChars: number;
  /** In the order of time; empty when nobody could look. */
  readonly looks: readonly RetainedLook[];
}

/** One request. */
export interface CompletionRecord {
  /** Milliseconds since 1970. */
  readonly ts: number;
  readonly lang: string;
  readonly client: string;
  /** How the request ended; `open` when nothing says so. */
  readonly end: "produced" | "filtered" | "none" | "cancelled" | "error" | "open";
  /** Reason of none and filtered, code of an error; `null` otherwise. */
  readonly reason: string | null;
  /** Where the text came from; `null` without one. */
  readonly source: string | null;
  /** How long the request took; `null` when that is not known. */
  readonly ms: number | null;
  readonly shown: ShownRecord | null;
}
