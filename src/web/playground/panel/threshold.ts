import type { Cell } from "../../cell.ts";
import { element, setText } from "../../dom.ts";
import { percent } from "./chance.ts";

/**
 * The minimum chance for ghost text, on the scale of the chance bar above it. `chosen` is `null` while
 * the server's own setting holds; what is chosen here goes with each request of this page only.
 */
export function createThreshold(
  chosen: Cell<number | null>,
  serverDefault: Cell<number | null>,
): HTMLElement {
  const slider = element("input", {
    type: "range",
    id: "threshold",
    min: 0,
    max: 1,
    step: 0.01,
    value: 0,
  });
  const value = element("output", { for: "threshold", class: "number" });
  const reset = element("button", { type: "button", class: "link" }, "Reset");
  const draw = (): void => {
    const now = chosen.value ?? serverDefault.value;
    if (now !== null && Number(slider.value) !== now) slider.value = String(now);
    slider.style.setProperty("--at", `${(now ?? 0) * 100}%`);
    setText(value, now === 0 ? "0 %, shows all" : percent(now));
    reset.disabled = chosen.value === null;
  };
  slider.addEventListener("input", () => chosen.set(Number(slider.value)));
  reset.addEventListener("click", () => chosen.set(null));
  chosen.watch(draw);
  serverDefault.watch(draw);
  return element(
    "div",
    { class: "threshold" },
    element(
      "div",
      { class: "chance-words" },
      element("label", { for: "threshold" }, "Threshold"),
      element("span", {}, reset, " ", value),
    ),
    slider,
    element(
      "p",
      { class: "threshold-why" },
      "A short text must be surer: reading it costs more than typing it.",
    ),
  );
}
