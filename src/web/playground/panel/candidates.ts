import type { WireCandidate } from "../../../protocol/autocomplete.ts";
import { element } from "../../dom.ts";
import { percent } from "./chance.ts";
import type { PanelPart } from "./waterfall.ts";

/** Every text that was considered, with its chance and the filter or rule that refused it. */
export function createCandidates(): PanelPart {
  const list = element("ol", { class: "candidates", tabindex: 0, "aria-label": "Candidates" });
  return {
    element: list,
    update: (keyPress) => {
      const hasReply = keyPress.kind === "answered" || keyPress.kind === "typed-through";
      const candidates = hasReply ? (keyPress.reply.candidates ?? []) : [];
      const empty = element("li", { class: "no-candidate" }, "No candidates for this key press.");
      list.replaceChildren(...(candidates.length === 0 ? [empty] : candidates.map(rowFor)));
    },
  };
}

function rowFor(candidate: WireCandidate): HTMLElement {
  const isRejected = candidate.rejected_by !== null;
  return element(
    "li",
    { class: isRejected ? "candidate rejected" : "candidate" },
    element("code", { title: candidate.text }, oneLine(candidate.text)),
    element(
      "span",
      { class: "candidate-facts" },
      element("span", { class: "number" }, percent(candidate.chance)),
      element("span", {}, candidate.source),
      element(
        "span",
        { class: isRejected ? "mark no" : "mark yes" },
        isRejected ? `✕ ${candidate.rejected_by}` : "✓ offered",
      ),
    ),
  );
}

/** Line ends and tabs as signs, so that a row stays a row. */
function oneLine(text: string): string {
  const line = text.replace(/\r?\n\s*/g, " ↵ ").replace(/\t/g, "→ ");
  return line.trim() === "" ? "(blank)" : line;
}
