import { expect, it } from "vitest";
import { type CounterEvent, count, emptyTally } from "./counters.ts";

function after(...events: readonly CounterEvent[]): object {
  const { lastShownId, lastAcceptedId, ...counters } = events.reduce(count, emptyTally);
  return counters;
}

it("an answer that is drawn again while it is typed along is shown once", () => {
  expect(
    after(
      { kind: "requested" },
      { kind: "shown", id: "a" },
      { kind: "typed-through" },
      { kind: "shown", id: "a" },
      { kind: "requested" },
      { kind: "shown", id: "b" },
    ),
  ).toEqual({ requests: 2, typedThrough: 1, shown: 2, accepted: 0, acceptedCharacters: 0 });
});

it("an answer that is accepted word by word is one acceptance", () => {
  expect(
    after(
      { kind: "accepted", id: "a", characters: 4 },
      { kind: "accepted", id: "a", characters: 6 },
      { kind: "accepted", id: "b", characters: 1 },
    ),
  ).toEqual({ requests: 0, typedThrough: 0, shown: 0, accepted: 2, acceptedCharacters: 11 });
});
