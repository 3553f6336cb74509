import type { Cell } from "../../cell.ts";
import { element, setText } from "../../dom.ts";
import type { Ghost } from "./ghost-provider.ts";
import type { GhostText } from "./ghost-text.ts";
import { commands, type GhostCommand } from "./monaco.ts";

interface Action {
  readonly label: string;
  readonly key: string;
  readonly command: GhostCommand;
  /** True for what makes sense only while ghost text is on screen. */
  readonly needsGhost: boolean;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const ctrl = isMac ? "⌘" : "Ctrl+";
const alt = isMac ? "⌥" : "Alt+";
const shift = isMac ? "⇧" : "Shift+";

const ask: Action = {
  label: "Suggest",
  key: `${alt}\\`,
  command: commands.suggest,
  needsGhost: false,
};
const turn: readonly [Action, Action] = [
  { label: "Previous", key: `${alt}[`, command: commands.previous, needsGhost: true },
  { label: "Next", key: `${alt}]`, command: commands.next, needsGhost: true },
];
const take: readonly Action[] = [
  { label: "Accept", key: "Tab", command: commands.accept, needsGhost: true },
  { label: "Word", key: `${ctrl}→`, command: commands.acceptWord, needsGhost: true },
  { label: "Line", key: `${ctrl}${shift}→`, command: commands.acceptLine, needsGhost: true },
  { label: "Dismiss", key: "Esc", command: commands.dismiss, needsGhost: true },
];

/** What can be done with the ghost text, with the keys that do it. */
export function createActionBar(ghostText: GhostText, ghost: Cell<Ghost | null>): HTMLElement {
  const buttons: [Action, HTMLButtonElement][] = [];
  const buttonFor = (action: Action, content: string, showsKey: boolean): HTMLButtonElement => {
    const button = element(
      "button",
      {
        type: "button",
        title: `${action.label} (${action.key})`,
        "aria-label": showsKey ? null : action.label,
      },
      content,
      showsKey ? element("kbd", {}, action.key) : null,
    );
    // Keep the focus in the editor: losing it would end what the button acts on.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => ghostText.run(action.command));
    buttons.push([action, button]);
    return button;
  };
  const position = element("span", { class: "alternative" });
  const [previous, next] = turn;
  const bar = element(
    "div",
    { class: "actions", role: "toolbar", "aria-label": "Ghost text" },
    buttonFor(ask, ask.label, true),
    element(
      "span",
      { class: "turner" },
      buttonFor(previous, "‹", false),
      position,
      buttonFor(next, "›", false),
    ),
    ...take.map((action) => buttonFor(action, action.label, true)),
  );
  ghost.watch((shown) => {
    setText(position, shown === null ? "– / –" : `${shown.index} / ${shown.of}`);
    for (const [action, button] of buttons) button.disabled = action.needsGhost && shown === null;
  });
  return bar;
}
