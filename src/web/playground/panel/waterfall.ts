import { element, setText } from "../../dom.ts";
import { formatMs, type KeyPress, type Stage, stagesOf, totalMs } from "../key-press.ts";

/** A part of the panel that follows the last key press. */
export interface PanelPart {
  readonly element: HTMLElement;
  readonly update: (keyPress: KeyPress) => void;
}

/** The stages of a key press as bars on one time axis, each with its milliseconds. */
export function createWaterfall(): PanelPart {
  const rows = stagesOf({ kind: "none", beginning: null }).map((stage) => rowFor(stage));
  const total = element("td", { class: "ms" });
  const table = element(
    "table",
    { class: "waterfall", "aria-label": "Stages of the last key press in milliseconds" },
    element("tbody", {}, ...rows.map((row) => row.element)),
    element(
      "tfoot",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "row" }, "Key to text"),
        element("td", { class: "axis" }),
        total,
      ),
    ),
  );
  return {
    element: table,
    update: (keyPress) => {
      const stages = stagesOf(keyPress);
      const wholeMs = totalMs(stages);
      for (const [i, stage] of stages.entries()) rows[i]?.update(stage, wholeMs);
      setText(total, formatMs(wholeMs));
    },
  };
}

interface Row {
  readonly element: HTMLElement;
  readonly update: (stage: Stage, wholeMs: number) => void;
}

function rowFor(stage: Stage): Row {
  const bar = element("span", { class: `bar bar-${stage.id}` });
  const ms = element("td", { class: "ms" });
  return {
    element: element(
      "tr",
      { title: stage.about },
      element("th", { scope: "row" }, stage.label),
      element("td", { class: "track" }, bar),
      ms,
    ),
    update: (next, wholeMs) => {
      const share = (part: number): string => `${wholeMs === 0 ? 0 : (part / wholeMs) * 100}%`;
      bar.style.left = share(next.startMs);
      bar.style.width = share(next.durationMs);
      bar.classList.toggle("ran", next.durationMs > 0);
      setText(ms, formatMs(next.durationMs));
    },
  };
}
