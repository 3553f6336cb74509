/** The table of `midspan bench latency`, and its picture: right answers against the wait for them. */
import { shareInterval } from "../../stats/share-interval.ts";
import { mean } from "../../stats/summary.ts";
import type { Machine } from "../machine.ts";
import { machineLine } from "../machine.ts";
import {
  type Estimate,
  numberColumn,
  paragraph,
  type Report,
  type ReportBlock,
  textColumn,
} from "../report/report.ts";
import type { TargetResult } from "./latency-bench.ts";

type Measured = Extract<TargetResult, { kind: "measured" }>;

/** The report; targets that could not run keep a row that says so. */
export function latencyReport(
  results: readonly TargetResult[],
  about: {
    readonly machine: Machine;
    readonly corpora: string;
    readonly seed: number;
    readonly version: string;
  },
): Report {
  const measured = results.filter((result) => result.kind === "measured");
  const first = measured[0];
  const missing = results.filter((result) => result.kind === "missing");
  return {
    title: "Accuracy and latency of models",
    lead: "",
    stamps: [
      { name: "Midspan", value: about.version },
      { name: "Machine", value: machineLine(about.machine) },
      { name: "Places", value: `${about.corpora}, seed ${about.seed}` },
      {
        name: "Asked",
        value: `${first?.line.length ?? 0} lines, ${first?.block.length ?? 0} blocks of 2 to 6 lines, each once, on a cold prompt, with all filters and no threshold`,
      },
      ...measured.map(({ name, model, backend, template }) => ({
        name,
        value: `${model} by ${backend}${template === null ? "" : `, prompt ${template}`}`,
      })),
    ],
    sections: [
      {
        title: "",
        blocks: [
          {
            kind: "table",
            caption: "",
            columns: [
              textColumn("model"),
              textColumn("backend"),
              numberColumn("line", "share"),
              numberColumn("block", "share"),
              numberColumn("block similar", "share"),
              numberColumn("at once", "count"),
              numberColumn("TTFT p50", "ms"),
              numberColumn("TTFT p95", "ms"),
              numberColumn("answer p50", "ms"),
              numberColumn("one answer", "tokens/s"),
              numberColumn("together", "tokens/s"),
              numberColumn("memory", "MB"),
              numberColumn("failed", "count"),
            ],
            rows: results.flatMap(rowsOf),
          },
          ...missing.map(({ name, reason }) => paragraph(`${name} was not run: ${reason}.`)),
          paragraph(
            "Line and block: the answer is exactly what stands there. TTFT is the time from the request to the first token of the model; the local model has its whole answer by then. Memory is that of the model server, where it runs here; of the whole process for the local model.",
          ),
          ...charts(measured),
        ],
      },
    ],
    checks: [],
  };
}

function rowsOf(result: TargetResult): (string | number | null)[][] {
  if (result.kind === "missing") {
    return [[result.name, "not run", ...new Array<null>(11).fill(null)]];
  }
  const { name, backend, line, block, blockSimilarity, rows } = result;
  return rows.map((row, i) => [
    name,
    backend,
    i === 0 ? shareOf(line) : null,
    i === 0 && block.length > 0 ? shareOf(block) : null,
    i === 0 && block.length > 0 ? blockSimilarity : null,
    row.parallel,
    figure(row.firstTokenMs.p50),
    figure(row.firstTokenMs.p95),
    figure(row.totalMs.p50),
    figure(row.tokensPerSecond),
    figure(row.allTokensPerSecond),
    row.memoryBytes === null ? null : row.memoryBytes / 1e6,
    row.failed,
  ]);
}

function charts(measured: readonly Measured[]): readonly ReportBlock[] {
  const points = measured.flatMap((target) => {
    const wait = target.rows[0]?.firstTokenMs;
    if (wait === undefined || Number.isNaN(wait.p50) || target.line.length === 0) return [];
    const x = { value: wait.p50, interval: { low: wait.p50, high: wait.p95 } };
    return [{ name: target.name, x, y: shareWithInterval(target.line) }];
  });
  if (points.length === 0) return [];
  return [
    {
      kind: "scatter",
      title: "Right lines against time to first token, one request at a time",
      x: { title: "TTFT, p50 to p95", unit: "ms", scale: "log" },
      y: { title: "line is right, 95 % interval", unit: "share", scale: "linear" },
      front: "less-x-more-y",
      points,
    },
    {
      kind: "bar",
      title: "Time to first token, p95, by requests at a time",
      y: { title: "TTFT p95", unit: "ms", scale: "linear" },
      categories: points.map(({ name }) => name),
      series: (measured[0]?.rows ?? []).map(({ parallel }, level) => ({
        name: `${parallel} at a time`,
        values: measured
          .filter(({ name }) => points.some((point) => point.name === name))
          .map(({ rows }) => {
            const value = rows[level]?.firstTokenMs.p95 ?? Number.NaN;
            return Number.isNaN(value) ? null : { value, interval: null };
          }),
      })),
    },
  ];
}

function shareWithInterval(answers: readonly boolean[]): Estimate {
  const right = answers.filter((isRight) => isRight).length;
  return { value: shareOf(answers), interval: shareInterval(right, answers.length) };
}

function shareOf(answers: readonly boolean[]): number {
  return mean(answers.map(Number));
}

function figure(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
