import type { Cell } from "./cell.ts";
import { element } from "./dom.ts";
import type { ThemeChoice } from "./theme.ts";

const themes: readonly (readonly [ThemeChoice, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Three radio buttons in one; both pages have it in their header. */
export function createThemeChoice(choice: Cell<ThemeChoice>): HTMLElement {
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
