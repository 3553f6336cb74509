import { element } from "../../dom.ts";
import { type CandidateRow, candidateRows } from "./candidate-rows.ts";
import { percent } from "./chance.ts";
import type { PanelPart } from "./waterfall.ts";

/** Every text that was considered, with its chance and the filter or rule that refused it. */
export function createCandidates(): PanelPart {
  const list = element("ol", { class: "candidates", tabindex: 0, "aria-label": "Candidates" });
  return {
    element: list,
    update: (keyPress) => {
      const rows = candidateRows(keyPress);
      const words =
        keyPress.kind === "waiting" ? "No answer yet." : "No candidates for this key press.";
      const empty = element("li", { class: "no-candidate" }, words);
      list.replaceChildren(...(rows.length === 0 ? [empty] : rows.map(rowFor)));
    },
  };
}

function rowFor(row: CandidateRow): HTMLElement {
  const { text, chance, source, state } = row;
  return element(
    "li",
    { class: state === "refused" ? "candidate rejected" : "candidate" },
    element("code", { title: text }, oneLine(text)),
    element(
      "span",
      { class: "candidate-facts" },
      element("span", { class: "number" }, percent(chance)),
      element("span", {}, source),
      markOf(row),
    ),
  );
}

function markOf({ state, refusedBy }: CandidateRow): HTMLElement {
  switch (state) {
    case "offered":
      return element("span", { class: "mark yes" }, "✓ offered");
    case "refused":
      return element("span", { class: "mark no" }, `✕ ${refusedBy}`);
    case "not-offered":
      return element(
        "span",
        { class: "mark", title: "Good enough, but only the best few texts are offered" },
        "not offered",
      );
  }
}

/** Line ends and tabs as signs, so that a row stays a row. */
function oneLine(text: string): string {
  const line = text.replace(/\r?\n\s*/g, " ↵ ").replace(/\t/g, "→ ");
  return line.trim() === "" ? "(blank)" : line;
}
