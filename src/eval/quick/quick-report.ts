/** The table of `npm run eval:quick`, with the checks of `eval:ci`. */
import { createRandom } from "../../stats/random.ts";
import { type Machine, machineLine } from "../machine.ts";
import { exactMatchInterval, type LineScores, lineScores } from "../repo/line-scores.ts";
import {
  type Estimate,
  exactly,
  numberColumn,
  paragraph,
  type Report,
  type ReportBlock,
  type ReportCheck,
  type ReportTable,
  textColumn,
} from "../report/report.ts";
import type { QuickWay } from "./quick-lines.ts";
import { answeredByAll } from "./quick-lines.ts";
import type { QuickReplay } from "./quick-replay.ts";

type Measured = Extract<QuickWay, { kind: "measured" }>;

export interface QuickRun {
  /** In the order of the table; the first measured one is the local model, on all lines. */
  readonly ways: readonly QuickWay[];
  readonly replay: QuickReplay;
  readonly description: string;
  readonly threshold: number;
  readonly seed: number;
  readonly machine: Machine;
  readonly version: string;
  readonly checks: readonly ReportCheck[];
}

/** The report. */
export function quickReport(run: QuickRun): Report {
  const { ways, replay, threshold, seed } = run;
  const measured = ways.filter((way) => way.kind === "measured");
  const shared = answeredByAll(measured);
  const onShared = measured.map((way) => ({
    ...way,
    answers: way.answers.filter(({ id }) => shared.has(id)),
  }));
  const [local] = measured;
  return {
    title: "A quick evaluation",
    lead: "",
    stamps: [
      { name: "Midspan", value: run.version },
      { name: "Machine", value: machineLine(run.machine) },
      { name: "Lines", value: `${run.description}; each with and without the text below` },
      { name: "Threshold and seed", value: `${threshold}, ${seed}` },
    ],
    sections: [
      {
        title: "Lines",
        blocks: [
          quickTable(run),
          ...[...new Set(ways.flatMap((way) => (way.kind === "missing" ? [way.reason] : [])))].map(
            (reason) => paragraph(`Not run: ${reason}.`),
          ),
          paragraph(
            "Exact: the whole rest of the line is right, with the 95 % interval. Shown, and right of those shown: at the threshold. Saved: keys, where each right text that is shown is taken with one, and all else is typed. ECE: expected calibration error. Time: of one line, median. Ways are compared on the lines that all of them had time to answer; the first row is the local model on all lines. A plain call is the sentinels, the text before and after, and the first line of what comes.",
          ),
          ...charts({ onShared, local, threshold, seed }),
        ],
      },
      {
        title: "Typing",
        blocks: [
          paragraph(
            `${replay.keys} key presses of a simulated person, the local model with a stand-in behind it that answers in 150 ms, right at six places of ten: what is counted is the work around a model.`,
          ),
          {
            kind: "table",
            caption: "",
            columns: [textColumn("figure"), numberColumn("value", "")],
            rows: [
              ["new prompt tokens per key press", replay.newTokensPerKey],
              ["requests per shown suggestion", replay.requestsPerShown],
              ["keys saved, %", replay.keystrokesSaved * 100],
            ],
          },
        ],
      },
    ],
    checks: run.checks,
  };
}

/** The table that the documents show. */
export function quickTable({ ways, threshold, seed }: QuickRun): ReportTable {
  const measured = ways.filter((way) => way.kind === "measured");
  const shared = answeredByAll(measured);
  const [local] = measured;
  const rows = ways.map((way) => {
    if (way.kind === "missing") {
      return [way.name, "not run", ...new Array<null>(8).fill(null)];
    }
    return rowOf(way.name, { way, shared, threshold, seed });
  });
  const whole =
    local === undefined || measured.length === 1
      ? []
      : [rowOf(`${local.name}, all lines`, { way: local, shared: null, threshold, seed })];
  return {
    kind: "table",
    caption: "",
    columns: [
      textColumn("way"),
      numberColumn("lines", "count"),
      numberColumn("exact", "share"),
      textColumn("interval"),
      numberColumn("similar", "share"),
      numberColumn("shown", "share"),
      numberColumn("right", "share"),
      numberColumn("saved", "share"),
      numberColumn("ECE", "share"),
      numberColumn("time", "ms"),
    ],
    rows: [...whole, ...rows],
  };
}

function rowOf(
  name: string,
  options: {
    readonly way: Measured;
    /** `null`: all. */
    readonly shared: ReadonlySet<string> | null;
    readonly threshold: number;
    readonly seed: number;
  },
): ReportTable["rows"][number] {
  const { way, shared, threshold, seed } = options;
  const answers = way.answers.filter(({ id }) => shared === null || shared.has(id));
  const scores = lineScores(answers, { threshold });
  const interval = exactMatchInterval(answers, { random: createRandom(seed) });
  return [
    name,
    scores.questions,
    figure(scores.exactMatch),
    interval === null
      ? "–"
      : `${(interval.low * 100).toFixed(1)}–${(interval.high * 100).toFixed(1)}`,
    figure(scores.editSimilarity),
    figure(scores.shown.coverage),
    figure(scores.shown.precision),
    figure(scores.keystrokesSaved),
    scores.calibrated === 0 ? null : figure(scores.calibrationError),
    figure(way.msPerQuestion),
  ];
}

function charts(parts: {
  readonly onShared: readonly Measured[];
  readonly local: Measured | undefined;
  readonly threshold: number;
  readonly seed: number;
}): readonly ReportBlock[] {
  const { onShared, local, threshold, seed } = parts;
  if (local === undefined) return [];
  const all = lineScores(local.answers, { threshold });
  const share = (title: string) => ({ title, unit: "share", scale: "linear" }) as const;
  const exact = (way: Measured): Estimate => {
    const interval = exactMatchInterval(way.answers, { random: createRandom(seed) });
    const value = lineScores(way.answers, { threshold }).exactMatch;
    return { value, interval };
  };
  const points = onShared
    .filter(({ answers, msPerQuestion }) => answers.length > 0 && msPerQuestion > 0)
    .map((way) => ({ name: way.name, x: exactly(way.msPerQuestion), y: exact(way) }));
  const pareto: ReportBlock[] =
    points.length < 2
      ? []
      : [
          {
            kind: "scatter",
            title: "Right lines against the time for one",
            x: { title: "one line, median", unit: "ms", scale: "log" },
            y: share("exact match, 95 % interval"),
            front: "less-x-more-y",
            points,
          },
        ];
  return [
    ...pareto,
    {
      kind: "line",
      title: "Precision over coverage, local model, all lines",
      x: share("shown"),
      y: share("right of those shown"),
      guide: null,
      series: [{ name: local.name, points: curveOf(all) }],
    },
    {
      kind: "line",
      title: "Stated chance and share of right answers, local model, all lines",
      x: share("stated chance"),
      y: share("right"),
      guide: { kind: "diagonal", name: "as stated" },
      series: [
        {
          name: local.name,
          points: all.reliability
            .filter(({ count }) => count > 0)
            .map(({ meanChance, accuracy }) => ({ x: meanChance, y: exactly(accuracy) })),
        },
      ],
    },
  ];
}

function curveOf({ curve }: LineScores): readonly { readonly x: number; readonly y: Estimate }[] {
  return curve
    .filter(({ precision, coverage }) => coverage > 0 && !Number.isNaN(precision))
    .map(({ coverage, precision }) => ({ x: coverage, y: exactly(precision) }))
    .reverse();
}

function figure(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
