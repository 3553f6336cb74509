/** `midspan stats`: acceptance beside what keeps it honest. */
import type { StatsReply, WireUsage, WireUsagePart } from "../protocol/stats.ts";
import { clearJournal } from "../store/index.ts";
import { adaptationLines } from "./adapt.ts";
import { eventsFolder, readStats } from "./event-recorder.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import { loadSettings } from "./load-settings.ts";
import { textTable } from "./text-table.ts";

export async function statsCommand(options: {
  readonly days: number;
  readonly json: boolean;
}): Promise<ExitCode> {
  const { resolved, folders } = await loadSettings(findWorkspace(null), {});
  const stats = await readStats(resolved.settings, folders, options.days);
  const text = options.json ? JSON.stringify(stats, null, 2) : statsLines(stats).join("\n");
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Removes every note of every process. */
export async function clearStatsCommand(): Promise<ExitCode> {
  const { folders } = await loadSettings(findWorkspace(null), {});
  const folder = eventsFolder(folders);
  const count = await clearJournal(folder);
  process.stdout.write(
    `Removed ${count} ${count === 1 ? "file" : "files"} of notes in ${folder}.\n`,
  );
  return 0;
}

/** The figures in lines of a terminal. */
export function statsLines(stats: StatsReply): readonly string[] {
  const { total } = stats;
  if (total.requests === 0) return [emptyWords(stats)];
  return [
    `Last ${stats.days} days: ${hours(total.hours)} at work, ${total.requests} requests, ${total.shown} texts shown.`,
    "",
    ...textTable(factsOf(total), ["left", "right"]),
    "",
    ...textTable(retentionRows(total), ["left", "right", "right", "right"]),
    "",
    ...partTable("language", stats.languages),
    ...partTable("source", stats.sources),
    ...stats.warnings.flatMap((warning) => [warning, ""]),
    ...adaptationLines(stats.adaptation),
  ];
}

function emptyWords({ enabled, days }: StatsReply): string {
  return enabled
    ? `Nothing was asked in the last ${days} days. Complete something in an editor or in the playground (midspan serve), and look again.`
    : "Nothing is noted: the setting events.enabled is off.";
}

function factsOf(total: WireUsage): readonly (readonly string[])[] {
  const { accepted, partly_accepted: partly, counted, latency_ms: latency } = total;
  const why = Object.entries(total.ignored).map(([word, count]) => `${word} ${count}`);
  return [
    [
      "acceptance rate",
      percent(total.acceptance_rate),
      `${accepted} whole and ${partly} in part of ${counted} seen for 0.75 s or taken`,
    ],
    ["  by characters", percent(total.weighted_acceptance_rate)],
    ["refused", percent(total.reject_rate), `${total.rejected} by hand`],
    ["ignored", String(sum(total.ignored)), why.join(", ")],
    ["shown per hour", decimal(total.shown_per_hour)],
    ["accepted characters per hour", decimal(total.accepted_chars_per_hour)],
    [
      "retained characters per hour",
      decimal(total.retained_chars_per_hour),
      "still there at the last look",
    ],
    ["mean accepted length", decimal(total.mean_accepted_chars), "characters"],
    ["requests per shown text", decimal(total.requests_per_shown)],
    ["time to an answer, p50", ms(latency.p50)],
    ["time to an answer, p95", ms(latency.p95)],
  ];
}

function retentionRows(total: WireUsage): readonly (readonly string[])[] {
  return [
    ["retention per edit", "edits", "present", "retained"],
    ...total.retention.map(({ after_seconds: seconds, edits, present, kept }) => [
      `  after ${seconds} s`,
      String(edits),
      percent(present),
      percent(kept),
    ]),
  ];
}

/** With a blank line behind it; nothing where there is no part. */
function partTable(name: string, parts: readonly WireUsagePart[]): readonly string[] {
  if (parts.length === 0) return [];
  const rows = parts.map(({ key, usage }) => [
    key,
    String(usage.requests),
    String(usage.shown),
    percent(usage.acceptance_rate),
    decimal(usage.retained_chars_per_hour),
    decimal(usage.mean_accepted_chars),
    ms(usage.latency_ms.p50),
  ]);
  const table = textTable(
    [[name, "requests", "shown", "accepted", "retained/h", "length", "p50"], ...rows],
    ["left", "right", "right", "right", "right", "right", "right"],
  );
  return [...table, ""];
}

/** `–` where there is nothing to say. */
function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

function decimal(value: number | null): string {
  return value === null ? "–" : value.toFixed(1);
}

function ms(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)} ms`;
}

function hours(value: number): string {
  return value < 1 ? `${Math.round(value * 60)} min` : `${value.toFixed(1)} h`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
