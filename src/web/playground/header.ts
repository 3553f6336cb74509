import type { Cell } from "../cell.ts";
import { element, setText } from "../dom.ts";
import type { ThemeChoice } from "../theme.ts";
import { createThemeChoice } from "../theme-choice.ts";

/** Name, the way to the dashboard, pause and theme. */
export function createHeader(cells: {
  readonly paused: Cell<boolean>;
  readonly theme: Cell<ThemeChoice>;
}): HTMLElement {
  return element(
    "header",
    { class: "header" },
    element("h1", {}, element("span", { class: "logo", "aria-hidden": "true" }), "Midspan"),
    element("span", { class: "header-what" }, "Playground"),
    element("span", { class: "header-gap" }),
    element("a", { href: "./dashboard" }, "Dashboard"),
    pauseButton(cells.paused),
    createThemeChoice(cells.theme),
  );
}

function pauseButton(paused: Cell<boolean>): HTMLElement {
  const button = element("button", { type: "button", class: "pause" });
  button.addEventListener("click", () => paused.set(!paused.value));
  paused.watch((isPaused) => {
    setText(button, isPaused ? "Resume" : "Pause");
    button.setAttribute("aria-pressed", String(isPaused));
    button.title = isPaused ? "Ask for ghost text again" : "Stop asking for ghost text";
  });
  return button;
}
