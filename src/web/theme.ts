import { Cell } from "./cell.ts";

export type ThemeChoice = "system" | "light" | "dark";

const choices: readonly ThemeChoice[] = ["system", "light", "dark"];
const KEY = "midspan.theme";

/** Light, dark, or as the system says; the choice is kept in this browser. */
export class Theme {
  readonly choice: Cell<ThemeChoice> = new Cell(stored());
  /** What is drawn: `choice` with `system` resolved. */
  readonly isDark: Cell<boolean> = new Cell(false);
  readonly #system = window.matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    this.#system.addEventListener("change", () => this.#apply());
    this.choice.watch((choice) => {
      store(choice);
      this.#apply();
    });
  }

  #apply(): void {
    const choice = this.choice.value;
    const isDark = choice === "system" ? this.#system.matches : choice === "dark";
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    this.isDark.set(isDark);
  }
}

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return choices.find((choice) => choice === value) ?? "system";
  } catch {
    return "system";
  }
}

function store(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // A browser that keeps nothing still gets its theme for this visit.
  }
}
