/** Wire types of `POST /v1/events`, by which a client says what became of an answer. */

/** What a client can tell. What only the server knows (requested, produced) it notes by itself. */
export const wireEventTypes = [
  "shown",
  "accepted_partial",
  "accepted",
  "rejected",
  "ignored",
] as const;

/** How a text or a piece of it was taken. */
export const wireAcceptKinds = ["full", "word", "line", "other"] as const;

/** Why a shown text went away by itself. */
export const wireIgnoreReasons = [
  "superseded",
  "typed-over",
  "cursor-moved",
  "blur",
  "document-closed",
] as const;

interface WireEventBase {
  /** Unique; an event that is sent again with the same id counts once. */
  readonly id: string;
  /** The `id` of the answer that it is about. */
  readonly request: string;
  /** When it happened, milliseconds since 1970 by the client's clock. */
  readonly ts: number;
}

/** One event. Lengths are UTF-16 units. */
export type WireEvent = WireEventBase &
  (
    | {
        readonly type: "shown";
        /** Which of the texts, `completion` being 0; default 0. */
        readonly visible_index: number;
        /** True where the client concludes it and does not see it; default false. */
        readonly inferred: boolean;
      }
    | {
        readonly type: "accepted_partial";
        readonly kind: "word" | "line" | "other";
        /** Units of this piece alone. */
        readonly chars: number;
      }
    | {
        readonly type: "accepted";
        /** Default `full`. */
        readonly kind: (typeof wireAcceptKinds)[number];
        /** Which of the texts was taken; absent: the one that is shown. */
        readonly visible_index: number | undefined;
        /** Units that were put in; absent: what the server takes to be left of the text. */
        readonly chars?: number | undefined;
      }
    | { readonly type: "rejected" }
    | { readonly type: "ignored"; readonly why: (typeof wireIgnoreReasons)[number] }
  );

/** A batch. */
export interface EventsBody {
  /** The client's clock when it sends, milliseconds since 1970; corrects all `ts`. */
  readonly sent_at: number;
  /** Name of the client, such as `playground`; default `http`. */
  readonly client: string;
  readonly events: readonly WireEvent[];
}

/** Ranges of the fields. */
export const eventsLimits = {
  events: 500,
  idUnits: 128,
  clientUnits: 64,
  /** Up to the year 9999. */
  time: { min: 0, max: 253_402_300_799_999 },
  index: { min: 0, max: 9 },
  chars: { min: 0, max: 1_000_000 },
} as const;

/** The answer. What is counted as taken is on the disk. */
export interface EventsReply {
  /** False: this server keeps no events, and a client may stop sending them. */
  readonly enabled: boolean;
  readonly taken: number;
  /** Sent before. */
  readonly repeated: number;
  /** About an answer that this server does not know, or no longer. */
  readonly unknown: number;
}
