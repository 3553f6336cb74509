/** Does what a scenario says and holds what is true of all of them. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { endsOfShown, type NotedEvent, readEvents } from "../journal.ts";
import { until } from "../until.ts";
import type { CodeServer } from "./code-server.ts";
import type { Painted } from "./paint-recorder.ts";
import type { Scenario, Step } from "./scenarios.ts";
import type { Workbench } from "./workbench.ts";

/** A file as it is on disk before the scenario, and where its cursor is, counted from 1. */
export function fileOf({ file, before }: Scenario): {
  readonly path: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
} {
  const at = before.indexOf("█");
  const lines = before.slice(0, at).split(/\r?\n/);
  return {
    path: `src/${file}`,
    text: before.slice(0, at) + before.slice(at + 1),
    line: lines.length,
    column: (lines.at(-1) ?? "").length + 1,
  };
}

/** Leaves the library alone: what is suggested depends on what a workspace holds. */
export function clearFiles(server: CodeServer): void {
  const folder = join(server.workspace, "src");
  for (const name of readdirSync(folder)) if (name !== "library.ts") rmSync(join(folder, name));
}

/** `isObserved`: VS Code tells the extension what is shown and refused. */
export async function runScenario(
  scenario: Scenario,
  how: {
    readonly workbench: Workbench;
    readonly server: CodeServer;
    readonly isObserved: boolean;
  },
): Promise<void> {
  const { workbench, server, isObserved } = how;
  // Each process of the server writes a file of its own: what is new is not what comes last.
  const earlierEvents = new Set(readEvents(server.home).map(({ id }) => id));
  const earlierNotes = server.notes().length;
  const { path, text, line, column } = fileOf(scenario);
  clearFiles(server);
  writeFileSync(join(server.workspace, path), text);
  await workbench.openFile(scenario.file, line, column);
  await workbench.painted();
  for (const step of scenario.steps) {
    if ("answered" in step) await answered(step.answered, server, earlierNotes);
    else await take(step, workbench);
  }
  const painted = await save(scenario, workbench, server);

  // Every event of before the end is on disk when the document is closed.
  const events = await until(
    () => readEvents(server.home).filter(({ id }) => !earlierEvents.has(id)),
    (events) => isOver(events, scenario),
    { what: `the events of "${scenario.title}"` },
  );
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect({
    accepted: count("accepted"),
    pieces: count("accepted_partial"),
    rejected: count("rejected"),
  }).toEqual({
    accepted: scenario.accepted,
    pieces: scenario.pieces ?? 0,
    rejected: isObserved ? (scenario.rejected ?? 0) : 0,
  });
  const shown = events.filter(({ type }) => type === "shown");
  if (!isObserved) expect(shown.every(({ inferred }) => inferred === true)).toBe(true);

  expect(stale(painted, server, earlierNotes)).toEqual([]);
  if (scenario.isSteady === true) {
    const first = painted.findIndex(({ ghost }) => ghost !== "");
    const last = painted.findLastIndex(({ ghost }) => ghost !== "");
    expect(painted.slice(first, last).filter(({ ghost }) => ghost === "")).toEqual([]);
  }
}

function isOver(events: readonly NotedEvent[], { accepted, rejected }: Scenario): boolean {
  const ends = [...endsOfShown(events).values()];
  const isShown = accepted === 0 && rejected === undefined ? true : ends.length > 0;
  return isShown && ends.every((count) => count === 1);
}

/** What was on screen though no line of an answer for its document is such a line. */
function stale(
  painted: readonly Painted[],
  server: CodeServer,
  earlierNotes: number,
): readonly string[] {
  const answers = server.notes().slice(earlierNotes);
  const rightLines = new Set(
    answers.flatMap((note) =>
      note.kind === "answer"
        ? note.lines.flat().map((line) => `${decodeURI(note.uri)} ${line}`)
        : [],
    ),
  );
  const pathOf = (uri: string): string => `file://${new URL(uri).pathname}`;
  return painted
    .filter(({ ghost }) => ghost !== "")
    .map(({ uri, line }) => `${decodeURI(pathOf(uri))} ${line}`)
    .filter((seen) => !rightLines.has(seen));
}

/** Saves, closes, and returns all that was painted by then. */
async function save(
  { file, saved = file, after, title }: Scenario,
  workbench: Workbench,
  server: CodeServer,
): Promise<readonly Painted[]> {
  const path = join(server.workspace, "src", saved);
  // What an accepted text does to the document takes as long as it takes.
  await until(
    async () => {
      await workbench.save();
      return difference(existsSync(path) ? readFileSync(path, "utf8") : "", after);
    },
    (difference) => difference === "",
    { what: `the text on disk of "${title}"` },
  );
  const painted = await workbench.painted();
  await workbench.closeFiles();
  rmSync(path);
  return painted;
}

async function answered(line: string, server: CodeServer, earlierNotes: number): Promise<void> {
  await until(
    () => server.notes().slice(earlierNotes),
    (notes) => notes.some((note) => note.kind === "answer" && note.line === line),
    { what: `an answer for "${line}"` },
  );
}

async function take(
  step: Exclude<Step, { readonly answered: string }>,
  workbench: Workbench,
): Promise<void> {
  if ("type" in step) return workbench.type(step.type, step.delayMs);
  if ("press" in step) return workbench.press(step.press);
  if ("noGhost" in step) return workbench.noGhost();
  if ("list" in step) return workbench.list(step.list);
  if ("command" in step) return workbench.command(step.command);
  if ("open" in step) return workbench.openFile(step.open, ...step.at);
  if ("rename" in step) return workbench.renameFile(step.rename);
  if ("below" in step) {
    await workbench.ghost(({ below }) => below.includes(step.below));
    return;
  }
  await workbench.ghost(({ ghost }) => ghost === step.ghost);
}

/** Where a text begins to be another one; `""` when it is not. */
function difference(text: string, wanted: string): string {
  if (text === wanted) return "";
  const at = [...wanted].findIndex((_, i) => text[i] !== wanted[i]);
  return `${at}: ${text.slice(Math.max(0, at - 80), at + 80)}`;
}
