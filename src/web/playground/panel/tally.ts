import type { Cell } from "../../cell.ts";
import { element, setText } from "../../dom.ts";
import type { Tally } from "../counters.ts";

const counters = [
  ["requests", "Requests", "Questions sent to the server"],
  [
    "typedThrough",
    "Typed through",
    "Key presses answered from the text on screen, without a request",
  ],
  ["shown", "Shown", "Answers drawn as ghost text"],
  ["accepted", "Accepted", "Answers of which at least a part was accepted"],
  ["acceptedCharacters", "Characters", "Characters that did not have to be typed"],
] as const;

/** What happened since the page was opened, in numbers. */
export function createTally(tally: Cell<Tally>): HTMLElement {
  const values = counters.map(([key]) => element("dd", { "data-counter": key }));
  tally.watch((now) => {
    counters.forEach(([key], i) => {
      const value = values[i];
      if (value !== undefined) setText(value, now[key].toLocaleString("en"));
    });
  });
  return element(
    "dl",
    { class: "tally" },
    ...counters.map(([, label, about], i) =>
      element("div", { title: about }, element("dt", {}, label), values[i] ?? null),
    ),
  );
}
