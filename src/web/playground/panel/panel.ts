import type { Cell } from "../../cell.ts";
import { element } from "../../dom.ts";
import type { Tally } from "../counters.ts";
import type { KeyPress } from "../key-press.ts";
import { createCandidates } from "./candidates.ts";
import { createChance } from "./chance.ts";
import { createPrompt } from "./prompt.ts";
import { createTally } from "./tally.ts";
import { createThreshold } from "./threshold.ts";
import { createVerdict } from "./verdict.ts";
import { createWaterfall } from "./waterfall.ts";

/** The way of the last key press: what came of it, how long each stage took, and why. */
export function createPanel(cells: {
  readonly keyPress: Cell<KeyPress>;
  readonly tally: Cell<Tally>;
  readonly threshold: Cell<number | null>;
  readonly serverThreshold: Cell<number | null>;
}): HTMLElement {
  const verdict = createVerdict();
  const waterfall = createWaterfall();
  const chance = createChance();
  const candidates = createCandidates();
  const prompt = createPrompt();
  const parts = [verdict, waterfall, chance, candidates, prompt];
  cells.keyPress.watch((keyPress) => {
    for (const part of parts) part.update(keyPress);
  });
  return element(
    "aside",
    { class: "panel", "aria-label": "The way of the last key press" },
    element("h2", {}, "The way of the last key press"),
    verdict.element,
    waterfall.element,
    chance.element,
    createThreshold(cells.threshold, cells.serverThreshold),
    element("h3", {}, "Candidates"),
    candidates.element,
    element("h3", {}, "Since this page was opened"),
    createTally(cells.tally),
    prompt.element,
  );
}
