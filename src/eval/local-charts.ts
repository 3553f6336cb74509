/** The charts of the local model's bench. */

import type { LocalBenchReport } from "./local-bench.ts";
import { chartFile } from "./report/chart-svg.ts";
import { type Axis, exactly, type LineChart } from "./report/report.ts";

/** Bins with fewer answers are noise and are not drawn. */
const MIN_BIN_ANSWERS = 20;

type Points = LineChart["series"][number]["points"];

/** File names and SVG texts. */
export function localCharts(report: LocalBenchReport): Readonly<Record<string, string>> {
  const series = (
    pointsOf: (one: LocalBenchReport["packages"][number]) => Points,
  ): LineChart["series"] =>
    report.packages.map((one) => ({ name: one.name, points: pointsOf(one) }));
  return {
    "local-reliability.svg": chartFile({
      kind: "line",
      title: "Stated chance and share of right answers",
      x: shareAxis("stated chance"),
      y: shareAxis("right"),
      guide: { kind: "diagonal", name: "as stated" },
      series: series(({ local }) =>
        local.reliability
          .filter(({ count }) => count >= MIN_BIN_ANSWERS)
          .map(({ meanChance, accuracy }) => ({ x: meanChance, y: exactly(accuracy) })),
      ),
    }),
    "local-coverage.svg": chartFile({
      kind: "line",
      title: "Precision over share of cursors shown, thresholds 0.7 to 0.15",
      x: shareAxis("shown"),
      y: shareAxis("right of those shown"),
      guide: null,
      series: series(({ local }) =>
        [...local.curve]
          .reverse()
          .map(({ coverage, precision }) => ({ x: coverage, y: exactly(precision) })),
      ),
    }),
  };
}

function shareAxis(title: string): Axis {
  return { title, unit: "share", scale: "linear" };
}
