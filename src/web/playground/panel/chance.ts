import { element, setText } from "../../dom.ts";
import type { KeyPress } from "../key-press.ts";
import type { PanelPart } from "./waterfall.ts";

/** The chance of the best text on a scale from 0 to 100 %, and the mark that it had to reach. */
export function createChance(): PanelPart {
  const value = element("span", { class: "number" });
  const required = element("span", { class: "number" });
  const bar = element("span", { class: "chance-bar" });
  const mark = element("span", { class: "chance-mark" });
  const meter = element(
    "div",
    {
      class: "chance-track",
      role: "meter",
      "aria-label": "Chance that the text is right",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": 0,
    },
    bar,
    mark,
  );
  return {
    element: element(
      "div",
      { class: "chance" },
      element(
        "div",
        { class: "chance-words" },
        element("span", {}, "Chance ", value),
        element("span", {}, "required ", required),
      ),
      meter,
    ),
    update: (keyPress) => {
      const { chance, threshold } = chanceOf(keyPress);
      setText(value, percent(chance));
      setText(required, percent(threshold));
      bar.style.width = `${(chance ?? 0) * 100}%`;
      bar.classList.toggle("enough", chance !== null && chance >= (threshold ?? 0));
      mark.style.left = `${(threshold ?? 0) * 100}%`;
      mark.hidden = threshold === null;
      meter.setAttribute("aria-valuenow", String(Math.round((chance ?? 0) * 100)));
      meter.setAttribute("aria-valuetext", `${percent(chance)}, required ${percent(threshold)}`);
    },
  };
}

/** `37 %`; a dash where there is no number. */
export function percent(chance: number | null): string {
  return chance === null ? "–" : `${Math.round(chance * 100)} %`;
}

function chanceOf(keyPress: KeyPress): {
  readonly chance: number | null;
  readonly threshold: number | null;
} {
  if (keyPress.kind !== "answered" && keyPress.kind !== "typed-through") {
    return { chance: null, threshold: null };
  }
  const { reply } = keyPress;
  // A text that a filter refused was no proposal: its chance decided nothing.
  const chances = (reply.candidates ?? [])
    .filter(({ rejected_by }) => rejected_by === null || rejected_by === "below-threshold")
    .flatMap(({ chance }) => (chance === null ? [] : [chance]));
  const best = chances.length === 0 ? null : Math.max(...chances);
  // A text that was typed along was weighed when it was first shown, not again.
  const threshold = reply.source === "type-through" ? null : (reply.threshold ?? null);
  return { chance: reply.confidence ?? best, threshold };
}
