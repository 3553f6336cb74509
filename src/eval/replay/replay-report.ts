/** What `midspan replay` says about its sessions. */
import {
  exactly,
  numberColumn,
  paragraph,
  type Report,
  type ReportBlock,
  type ReportSection,
  type TableCell,
  textColumn,
} from "../report/report.ts";
import { type Stamp, stampLines } from "../run/stamp.ts";
import { latencyBudget, quotedBudget, type StageOver, stagesOver } from "./latency-budget.ts";
import { metricDifference, metricOver, replayMetrics } from "./replay-metrics.ts";
import { rowsOf, type SessionRow } from "./run-replay.ts";

/** A configuration in the report. */
export interface ReportedConfiguration {
  readonly name: string;
  readonly stamp: Stamp;
  /** A round trip to its server in ms; `null` without one. */
  readonly networkMs: number | null;
}

export interface ReplayRun {
  readonly rows: readonly SessionRow[];
  /** One, or two that are compared. */
  readonly configurations: readonly ReportedConfiguration[];
  /** What was typed, in words. */
  readonly description: string;
  readonly seed: number;
  /** Why there are fewer sessions than planned; `null` when there are not. */
  readonly stopped: string | null;
}

/** The report. The same for the same rows. */
export function replayReport(run: ReplayRun): Report {
  const { rows, configurations } = run;
  return {
    title: "Typing replayed",
    lead: leadOf(run),
    stamps: configurations.flatMap(({ name, stamp }) =>
      stampLines(stamp).map((line) => ({
        name: configurations.length === 1 ? line[0] : `${line[0]} (${name})`,
        value: line[1],
      })),
    ),
    sections: [
      { title: "What the person had of it, and what it cost", blocks: [metricTable(run)] },
      ...configurations.map((one) => budgetSection(one, run)),
      { title: "Tokens per key press", blocks: tokenBlocks(run) },
      { title: "How requests ended", blocks: [outcomeTable(run)] },
      ...failureSections(rows),
    ],
    checks: [],
  };
}

function leadOf({ rows, configurations, description, stopped }: ReplayRun): string {
  const sentences = configurations.map(({ name }) => {
    const own = rowsOf(rows, name);
    const virtualMs = own.reduce((sum, { counts }) => sum + counts.virtualMs, 0);
    const realMs = own.reduce((sum, { counts }) => sum + counts.measured.realMs, 0);
    const cpuMs = own.reduce((sum, { counts }) => sum + counts.measured.cpuMs, 0);
    const minutes = (virtualMs / 60_000).toFixed(1);
    const speed = realMs === 0 ? "" : `, ${Math.round(virtualMs / realMs)} times real time`;
    const subject = configurations.length === 1 ? "" : `${name}: `;
    return `${subject}${minutes} minutes of typing in ${(realMs / 1_000).toFixed(1)} s${speed} (${(cpuMs / 1_000).toFixed(1)} s of CPU time).`;
  });
  const end = stopped === null ? "" : ` The run is not complete: ${stopped}.`;
  return `Typed were ${description}. ${sentences.join(" ")}${end}`;
}

function metricTable({ rows, configurations, seed }: ReplayRun): ReportBlock {
  const [left, right] = configurations;
  const isCompared = left !== undefined && right !== undefined;
  const body = replayMetrics.map((metric): readonly TableCell[] => {
    const values = configurations.map(({ name }) =>
      cellOf(metricOver(metric, rowsOf(rows, name)), metric.unit),
    );
    if (!isCompared) return [metric.title, ...values];
    const options = { left: left.name, right: right.name, seed };
    const difference = metricDifference(metric, rows, options);
    if (difference === null) return [metric.title, ...values, null, null];
    const { low, high } = difference;
    const interval =
      low === null || high === null
        ? null
        : `${cellOf(low, metric.unit)} to ${cellOf(high, metric.unit)}`;
    return [metric.title, ...values, cellOf(difference.difference, metric.unit), interval];
  });
  return {
    kind: "table",
    caption: isCompared
      ? `The difference is the mean over the sessions, right less left, with its 95 % interval (paired bootstrap).${oneFileWords(rows)}`
      : "",
    columns: [
      textColumn(""),
      ...configurations.map(({ name }) => ({ ...textColumn(name), align: "right" as const })),
      ...(isCompared
        ? ["difference", "95 % interval"].map((title) => ({
            ...textColumn(title),
            align: "right" as const,
          }))
        : []),
    ],
    rows: body,
  };
}

/** Why there are no intervals; `""` where there are. */
function oneFileWords(rows: readonly SessionRow[]): string {
  return new Set(rows.map(({ path }) => path)).size === 1
    ? " All sessions are of one file, which says nothing of others: there is no interval."
    : "";
}

/** Figures of several units share a column, so each brings its own. */
function cellOf(value: number | null, unit: string): string {
  if (value === null || Number.isNaN(value)) return "–";
  if (unit === "share") return `${(value * 100).toFixed(1)} %`;
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function budgetSection(
  { name, networkMs }: ReportedConfiguration,
  { rows, configurations }: ReplayRun,
): ReportSection {
  const stages = latencyBudget(rowsOf(rows, name), { networkMs });
  const over = stagesOver(stages);
  const isMeasured = stages.some(({ p50Ms }) => p50Ms !== null);
  const verdict =
    over.length === 0
      ? isMeasured
        ? "No line is over its budget."
        : "Nothing was measured."
      : over
          .map(
            ({ name: stage, at, measuredMs, budgetMs }) =>
              `${stage} is over its budget${at === "p50" ? "" : " at the 95th percentile"}: ${measuredMs.toFixed(1)} ms of ${budgetMs} ms.`,
          )
          .join(" ");
  const quoted = Object.entries(quotedBudget);
  return {
    title: configurations.length === 1 ? "Latency budget" : `Latency budget, ${name}`,
    blocks: [
      paragraph(
        `${verdict} Waiting and the model's time are simulated or real time of the backend; the context is the engine's own work on this machine, over all key presses; the network is the median round trip of a small request.`,
      ),
      {
        kind: "table",
        caption: "",
        columns: [
          textColumn("stage"),
          numberColumn("budget", "ms"),
          numberColumn("p50", "ms"),
          numberColumn("p95", "ms"),
          textColumn(""),
        ],
        rows: stages.map((stage) => [
          stage.name,
          stage.budgetMs,
          stage.p50Ms,
          stage.p95Ms,
          overWord(over.find(({ name: late }) => late === stage.name)),
        ]),
      },
      {
        kind: "waterfall",
        title: "From the key to the first token",
        x: { title: "time", unit: "ms", scale: "linear" },
        rows: ["quoted", "measured p50"],
        stages: stages.map((stage) => ({
          name: stage.name,
          values: [quoted.find(([title]) => title === stage.name)?.[1] ?? null, stage.p50Ms],
        })),
      },
    ],
  };
}

function overWord(over: StageOver | undefined): string {
  return over === undefined ? "" : over.at === "p50" ? "over" : "p95 over";
}

function tokenBlocks({ rows, configurations }: ReplayRun): readonly ReportBlock[] {
  const titles = ["prompt tokens evaluated per key", "tokens generated per key"];
  const metrics = replayMetrics.filter(({ title }) => titles.includes(title));
  const estimated = rows.reduce((sum, { counts }) => sum + counts.calls.estimated, 0);
  return [
    {
      kind: "bar",
      title: "Tokens per key press",
      y: { title: "tokens", unit: "", scale: "linear" },
      categories: metrics.map(({ title }) => title),
      series: configurations.map(({ name }) => ({
        name,
        values: metrics.map((metric) => {
          const value = metricOver(metric, rowsOf(rows, name));
          return value === null ? null : exactly(value);
        }),
      })),
    },
    paragraph(
      `${estimated} calls ended before the backend had counted; for these the whole prompt counts as evaluated, and each piece of text as a token.`,
    ),
  ];
}

function outcomeTable({ rows, configurations }: ReplayRun): ReportBlock {
  const names = [...new Set(rows.flatMap(({ counts }) => Object.keys(counts.outcomes)))].sort();
  return {
    kind: "table",
    caption: "Answers with a text by where it came from, and without one by the reason.",
    columns: [
      textColumn("outcome"),
      ...configurations.map(({ name }) => numberColumn(name, "count")),
    ],
    rows: names.map((name) => [
      name,
      ...configurations.map((one) =>
        rowsOf(rows, one.name).reduce((sum, { counts }) => sum + (counts.outcomes[name] ?? 0), 0),
      ),
    ]),
  };
}

/** Nothing where nothing failed. */
function failureSections(rows: readonly SessionRow[]): readonly ReportSection[] {
  const failed = rows.filter(({ counts }) => counts.calls.failed > 0);
  if (failed.length === 0) return [];
  return [
    {
      title: "Failures",
      blocks: [
        paragraph(
          "In these sessions calls of the backend failed. The same command types them again.",
        ),
        {
          kind: "table",
          caption: "",
          columns: [
            textColumn("session"),
            textColumn("configuration"),
            numberColumn("failed calls", "count"),
            numberColumn("calls", "count"),
          ],
          rows: failed.map(({ session, configuration, counts }) => [
            session,
            configuration,
            counts.calls.failed,
            counts.calls.started,
          ]),
        },
      ],
    },
  ];
}
