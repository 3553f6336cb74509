/** `midspan adapt`: what the show rule learned from its one user, and how to make it forget. */
import type { StatsReply, WireAdaptation } from "../protocol/stats.ts";
import { resetAdaptation } from "../store/index.ts";
import { eventsFolder, readStats } from "./event-recorder.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import { loadSettings } from "./load-settings.ts";
import { textTable } from "./text-table.ts";

export async function adaptCommand(options: { readonly json: boolean }): Promise<ExitCode> {
  const { resolved, folders } = await loadSettings(findWorkspace(null), {});
  const { adaptation } = await readStats(resolved.settings, folders, 1);
  const text = options.json
    ? JSON.stringify(adaptation, null, 2)
    : adaptationLines(adaptation).join("\n");
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Forgets what was learned; the notes stay. */
export async function resetAdaptCommand(): Promise<ExitCode> {
  const { folders } = await loadSettings(findWorkspace(null), {});
  await resetAdaptation(eventsFolder(folders), Date.now());
  process.stdout.write(
    "Forgotten. Running programs follow within five minutes; only new decisions count from here on.\n",
  );
  return 0;
}

/** In words: whether something was learned, and what. */
export function adaptationLines(adaptation: StatsReply["adaptation"]): readonly string[] {
  const { enabled, decisions, decisions_needed: needed, share } = adaptation;
  if (!enabled) return ["The show rule learns nothing: adapt.enabled or events.enabled is off."];
  if (decisions < needed) {
    return [
      `The show rule is the same for everybody so far: ${decisions} of the ${needed} decisions that it needs.`,
    ];
  }
  return [
    `The show rule learned from ${decisions} decisions of yours; they count for ${Math.round(share * 100)} %.`,
    "A chance becomes higher (+) or lower (-) by this much in log odds, before the share:",
    ...textTable(rowsOf(adaptation), ["left", "right"]).map((line) => `  ${line}`),
    "midspan adapt --reset forgets it.",
  ];
}

const words: Readonly<Record<string, string>> = {
  length: "per e-fold of length",
  lines: "per e-fold of lines",
  inWord: "inside a word",
  lineStart: "at the start of a line",
  textRight: "with text to the right",
  invoked: "asked by hand",
  model: "from a language model",
};

function rowsOf({ bias, slope, weights }: WireAdaptation): readonly (readonly string[])[] {
  return [
    ["always", signed(bias)],
    ["per log odds of the given chance", signed(slope - 1)],
    ...Object.entries(weights).map(([name, weight]) => [words[name] ?? name, signed(weight)]),
  ];
}

function signed(value: number): string {
  const text = value.toFixed(2);
  return value < 0 ? text : `+${text}`;
}
