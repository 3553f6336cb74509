/** The charts of the local model's bench. */

import { type ChartSeries, lineChart } from "./line-chart.ts";
import type { LocalBenchReport } from "./local-bench.ts";

/** Bins with fewer answers are noise and are not drawn. */
const MIN_BIN_ANSWERS = 20;

/** File names and SVG texts. */
export function localCharts(report: LocalBenchReport): Readonly<Record<string, string>> {
  const series = (pointsOf: (one: LocalBenchReport["packages"][number]) => ChartSeries["points"]) =>
    report.packages.map((one) => ({ name: one.name, points: pointsOf(one) }));
  return {
    "local-reliability.svg": lineChart(
      series(({ local }) =>
        local.reliability
          .filter(({ count }) => count >= MIN_BIN_ANSWERS)
          .map(({ meanChance, accuracy }) => ({ x: meanChance, y: accuracy })),
      ),
      {
        title: "Stated chance and share of right answers",
        xTitle: "stated chance",
        yTitle: "right",
        hasDiagonal: true,
      },
    ),
    "local-coverage.svg": lineChart(
      series(({ local }) =>
        [...local.curve]
          .reverse()
          .map(({ coverage, precision }) => ({ x: coverage, y: precision })),
      ),
      {
        title: "Precision over share of cursors shown, thresholds 0.7 to 0.15",
        xTitle: "shown",
        yTitle: "right of those shown",
        hasDiagonal: false,
      },
    ),
  };
}
