/** The dashboard: what `midspan stats` prints, drawn, and drawn again while it is looked at. */
import type { StatsReply } from "../../protocol/stats.ts";
import { getStats, ServerError, ServerGone } from "../api.ts";
import { Cell } from "../cell.ts";
import { element, setText } from "../dom.ts";
import { Theme } from "../theme.ts";
import { createThemeChoice } from "../theme-choice.ts";
import { type Chart, createChart, paletteOf } from "./chart.ts";
import {
  adaptationOption,
  type ChartOption,
  charactersOption,
  latencyOption,
  type Palette,
  retentionOption,
  shownOption,
} from "./chart-options.ts";
import { percent } from "./format.ts";
import { createEmptyState, createFailure, createNote, createOffState } from "./notices.ts";
import { createPartTable } from "./part-table.ts";
import { createTiles } from "./tiles.ts";

const REFRESH_MS = 5_000;
const LIMIT_MS = 15_000;
const ranges: readonly number[] = [7, 30, 90];

const theme = new Theme();
const days = new Cell(30);
const stats = new Cell<StatsReply | null>(null);

type Draw = (stats: StatsReply, palette: Palette) => ChartOption;
const charts: readonly (readonly [Chart, Draw])[] = [
  [
    createChart("Shown by day", "How many texts were on screen, and what was taken of them."),
    shownOption,
  ],
  [
    createChart("Characters per hour", "Accepted, and retained: still there at the last look."),
    charactersOption,
  ],
  [
    createChart("Retained per edit", "What is left of accepted edits as time goes on."),
    retentionOption,
  ],
  [createChart("Time to an answer", "Of the requests that had a text."), latencyOption],
];
const adaptationTitle = "What the show rule learned";
const adaptation = createChart(
  adaptationTitle,
  "Green makes a text likelier to be shown to you, red less likely.",
);
const adaptationWords = element("p", { class: "says" });
adaptation.element.append(adaptationWords);

const main = element("main", { class: "figures" });
const figures = element("div", { class: "charts" }, ...charts.map(([chart]) => chart.element));
document.body.append(createHeader(), main);

stats.watch((now) => now === null || show(now));
theme.isDark.watch(() => draw());
days.watch(() => void refresh());
window.setInterval(() => document.hidden || void refresh(), REFRESH_MS);
document.addEventListener("visibilitychange", () => document.hidden || void refresh());

async function refresh(): Promise<void> {
  const asked = days.value;
  try {
    const reply = await getStats(asked, AbortSignal.timeout(LIMIT_MS));
    if (asked === days.value) stats.set(reply);
  } catch (error) {
    if (asked === days.value) main.replaceChildren(failure(error));
  }
}

function failure(error: unknown): HTMLElement {
  if (error instanceof ServerGone)
    return createFailure("The server does not answer. It is asked again.");
  if (!(error instanceof ServerError)) throw error;
  if (error.code === "NOT_FOUND") return createOffState();
  return createFailure(`${error.message} (${error.code}).`);
}

function show(now: StatsReply): void {
  if (now.total.requests === 0) {
    main.replaceChildren(...warningsOf(now), createEmptyState(now.days));
    return;
  }
  const { enabled, decisions, decisions_needed: needed, share } = now.adaptation;
  const hasLearned = enabled && decisions >= needed;
  const adaptationSays = hasLearned
    ? `${decisions} decisions of yours count for ${percent(share)}; midspan adapt --reset forgets them.`
    : enabled
      ? `The rule is the same for everybody until there are ${needed} decisions; so far ${decisions}.`
      : "Learning is off (adapt.enabled).";
  setText(adaptationWords, adaptationSays);
  main.replaceChildren(
    ...warningsOf(now),
    element("p", { class: "says" }, "Events of all workspaces of this machine are counted."),
    createTiles(now),
    figures,
    createPartTable("By language", now.languages),
    createPartTable("By source", now.sources),
    element(
      "p",
      { class: "says" },
      "A row divides by the hours at work in which it was asked, the tiles by all of them: the rows do not add up to the total.",
    ),
    hasLearned ? adaptation.element : createNote(adaptationTitle, adaptationSays),
  );
  draw();
}

function warningsOf({ warnings }: StatsReply): readonly HTMLElement[] {
  return warnings.map((warning) => element("p", { class: "warning", role: "alert" }, warning));
}

function draw(): void {
  const now = stats.value;
  if (now === null) return;
  const palette = paletteOf(document.body);
  for (const [chart, optionOf] of charts) chart.draw(optionOf(now, palette));
  adaptation.draw(adaptationOption(now.adaptation, palette));
}

function createHeader(): HTMLElement {
  const select = element(
    "select",
    { "aria-label": "Days" },
    ...ranges.map((range) =>
      element("option", { value: range, selected: range === days.value }, `Last ${range} days`),
    ),
  );
  select.addEventListener("change", () => days.set(Number(select.value)));
  return element(
    "header",
    { class: "header" },
    element("h1", {}, element("span", { class: "logo", "aria-hidden": "true" }), "Midspan"),
    element("span", { class: "header-what" }, "Dashboard"),
    element("span", { class: "header-gap" }),
    element("a", { href: "./" }, "Playground"),
    select,
    createThemeChoice(theme.choice),
  );
}
