import type { Cell } from "../cell.ts";
import { element, setText } from "../dom.ts";
import type { ThemeChoice } from "../theme.ts";

const themes: readonly (readonly [ThemeChoice, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Name, pause and theme. */
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
    pauseButton(cells.paused),
    themeChoice(cells.theme),
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

function themeChoice(choice: Cell<ThemeChoice>): HTMLElement {
  const inputs = themes.map(([value]) =>
    element("input", { type: "radio", name: "theme", value, id: `theme-${value}` }),
  );
  const group = element(
    "div",
    { class: "themes", role: "radiogroup", "aria-label": "Theme" },
    ...themes.flatMap(([value, label], i) => [
      inputs[i] ?? null,
      element("label", { for: `theme-${value}` }, label),
    ]),
  );
  group.addEventListener("change", (event) => {
    const chosen = themes.find(
      ([value]) => event.target instanceof HTMLInputElement && event.target.value === value,
    );
    if (chosen !== undefined) choice.set(chosen[0]);
  });
  choice.watch((now) => {
    for (const input of inputs) input.checked = input.value === now;
  });
  return group;
}
