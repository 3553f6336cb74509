/** What happened since the page was opened. */
interface Counters {
  readonly requests: number;
  /** Key presses that were answered without a request. */
  readonly typedThrough: number;
  /** Answers that were drawn as ghost text, each counted once. */
  readonly shown: number;
  /** Answers of which at least a part was accepted. */
  readonly accepted: number;
  readonly acceptedCharacters: number;
}

export type CounterEvent =
  | { readonly kind: "requested" }
  | { readonly kind: "typed-through" }
  | { readonly kind: "shown"; readonly id: string }
  | { readonly kind: "accepted"; readonly id: string; readonly characters: number };

/** Counters and the ids that were counted already. */
export interface Tally extends Counters {
  readonly lastShownId: string | null;
  readonly lastAcceptedId: string | null;
}

export const emptyTally: Tally = {
  requests: 0,
  typedThrough: 0,
  shown: 0,
  accepted: 0,
  acceptedCharacters: 0,
  lastShownId: null,
  lastAcceptedId: null,
};

/** The counters after an event. Accepting word by word is one acceptance of many characters. */
export function count(tally: Tally, event: CounterEvent): Tally {
  switch (event.kind) {
    case "requested":
      return { ...tally, requests: tally.requests + 1 };
    case "typed-through":
      return { ...tally, typedThrough: tally.typedThrough + 1 };
    case "shown":
      return event.id === tally.lastShownId
        ? tally
        : { ...tally, shown: tally.shown + 1, lastShownId: event.id };
    case "accepted":
      return {
        ...tally,
        accepted: tally.accepted + (event.id === tally.lastAcceptedId ? 0 : 1),
        acceptedCharacters: tally.acceptedCharacters + event.characters,
        lastAcceptedId: event.id,
      };
  }
}
