import { type Child, element } from "../dom.ts";

/** Nothing was asked yet: what to do. */
export function createEmptyState(days: number): HTMLElement {
  return notice(
    "Nothing to show yet",
    element("p", {}, `No completion was asked for in the last ${days} days.`),
    element(
      "ol",
      {},
      element(
        "li",
        {},
        "Open the ",
        element("a", { href: "./" }, "playground"),
        " and type a line of code.",
      ),
      element("li", {}, "Press ", element("kbd", {}, "Tab"), " to take the grey text."),
      element("li", {}, "Come back: this page follows by itself."),
    ),
  );
}

/** The setting is off: what that means and how to change it. */
export function createOffState(): HTMLElement {
  return notice(
    "Nothing is noted",
    element(
      "p",
      {},
      "The setting ",
      element("code", {}, "events.enabled"),
      " is off. Notes stay on this machine and hold no source text; ",
      element("code", {}, "midspan config --explain events.enabled"),
      " says where it is set.",
    ),
  );
}

/** The server is gone, or wants a token. The page asks again by itself. */
export function createFailure(words: string): HTMLElement {
  return notice("No figures", element("p", {}, words));
}

/** A card with a sentence. */
export function createNote(title: string, words: string): HTMLElement {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, title),
    element("p", { class: "says" }, words),
  );
}

function notice(title: string, ...children: readonly Child[]): HTMLElement {
  return element(
    "section",
    { class: "card notice", role: "status" },
    element("h2", {}, title),
    ...children,
  );
}
