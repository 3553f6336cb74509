/** What each chart draws, as options of the chart library. Pure: figures and colours in, options out. */
import type { BarSeriesOption, LineSeriesOption } from "echarts/charts";
import type {
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
} from "echarts/components";
import type { ComposeOption } from "echarts/core";
import type { StatsReply, WireAdaptation } from "../../protocol/stats.ts";
import { seconds } from "./format.ts";

/** Options of the charts that this page has. */
export type ChartOption = ComposeOption<
  | BarSeriesOption
  | LineSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | TooltipComponentOption
>;

/** The colours of the theme. */
export interface Palette {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly good: string;
  readonly bad: string;
  readonly track: string;
  /** The font family, by name: texts are measured with it. */
  readonly font: string;
}

/** Texts on screen by day, and which share of them was taken. */
export function shownOption({ by_day: days }: StatsReply, palette: Palette): ChartOption {
  const bar = (name: string, color: string, data: readonly number[]): BarSeriesOption => ({
    name,
    type: "bar",
    stack: "shown",
    color,
    barMaxWidth: 36,
    data: [...data],
  });
  const taken = days.map(({ usage }) => usage.accepted);
  const partly = days.map(({ usage }) => usage.partly_accepted);
  return {
    ...frame(
      palette,
      days.map(({ key }) => dayLabel(key)),
    ),
    yAxis: [
      valueAxis(palette, { isInteger: true }),
      {
        ...valueAxis(palette),
        max: 1,
        splitLine: { show: false },
        axisLabel: percentLabel(palette),
      },
    ],
    series: [
      bar("accepted", palette.good, taken),
      bar("in part", palette.accent, partly),
      bar(
        "not taken",
        palette.track,
        days.map(({ usage }, i) => usage.shown - (taken[i] ?? 0) - (partly[i] ?? 0)),
      ),
      {
        ...line(
          "rate",
          palette.text,
          days.map(({ usage }) => usage.acceptance_rate),
        ),
        yAxisIndex: 1,
        tooltip: { valueFormatter: percentWords },
      },
    ],
  };
}

/** What is left of accepted edits as time goes on. */
export function retentionOption({ total }: StatsReply, palette: Palette): ChartOption {
  const { retention } = total;
  const of = (name: "present" | "kept"): (number | null)[] => retention.map((one) => one[name]);
  return {
    ...frame(
      palette,
      retention.map((one) => seconds(one.after_seconds)),
    ),
    yAxis: { ...valueAxis(palette), max: 1, axisLabel: percentLabel(palette) },
    series: [
      {
        ...line("edits retained", palette.good, of("present")),
        tooltip: { valueFormatter: percentWords },
      },
      {
        ...line("characters retained", palette.accent, of("kept")),
        tooltip: { valueFormatter: percentWords },
      },
    ],
  };
}

/** How long answers took, by day. */
export function latencyOption({ by_day: days }: StatsReply, palette: Palette): ChartOption {
  return {
    ...frame(
      palette,
      days.map(({ key }) => dayLabel(key)),
    ),
    yAxis: valueAxis(palette),
    series: [
      line(
        "half within, ms",
        palette.accent,
        days.map(({ usage }) => rounded(usage.latency_ms.p50)),
      ),
      line(
        "95 % within, ms",
        palette.quiet,
        days.map(({ usage }) => rounded(usage.latency_ms.p95)),
      ),
    ],
  };
}

/** Characters an hour that were taken, and that stayed. */
export function charactersOption({ by_day: days }: StatsReply, palette: Palette): ChartOption {
  return {
    ...frame(
      palette,
      days.map(({ key }) => dayLabel(key)),
    ),
    yAxis: valueAxis(palette),
    series: [
      line(
        "accepted",
        palette.accent,
        days.map(({ usage }) => rounded(usage.accepted_chars_per_hour)),
      ),
      line(
        "retained",
        palette.good,
        days.map(({ usage }) => rounded(usage.retained_chars_per_hour)),
      ),
    ],
  };
}

const weightWords: Readonly<Record<string, string>> = {
  length: "length",
  lines: "lines",
  inWord: "inside a word",
  lineStart: "at a line's start",
  textRight: "text to the right",
  invoked: "asked by hand",
  model: "language model",
};

/** What makes a text likelier, or less likely, to be shown to this person. */
export function adaptationOption(adaptation: WireAdaptation, palette: Palette): ChartOption {
  const rows = [
    ["always", adaptation.bias] as const,
    ...Object.entries(adaptation.weights),
  ].reverse();
  const reach = Math.max(0.1, ...rows.map(([, weight]) => Math.abs(weight)));
  return {
    ...frame(palette, []),
    legend: { show: false },
    grid: { left: 4, right: 12, top: 4, bottom: 4, ...containLabels },
    xAxis: {
      ...valueAxis(palette),
      min: -reach,
      max: reach,
      axisLabel: { show: false },
      splitLine: { show: false },
    },
    yAxis: {
      type: "category",
      data: rows.map(([name]) => weightWords[name] ?? name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.line } },
      axisLabel: { color: palette.quiet },
    },
    series: [
      {
        type: "bar",
        barMaxWidth: 14,
        data: rows.map(([, weight]) => ({
          value: rounded(weight) ?? 0,
          itemStyle: { color: weight < 0 ? palette.bad : palette.good },
        })),
      },
    ],
  };
}

const containLabels = { outerBoundsMode: "same", outerBoundsContain: "axisLabel" } as const;

function frame(palette: Palette, labels: readonly string[]) {
  return {
    animation: false,
    textStyle: { fontFamily: palette.font, color: palette.text },
    grid: { left: 4, right: 12, top: 36, bottom: 4, ...containLabels },
    legend: {
      top: 0,
      left: 0,
      itemWidth: 12,
      itemHeight: 8,
      itemGap: 12,
      textStyle: { color: palette.quiet, fontFamily: palette.font, fontSize: 12 },
    },
    tooltip: {
      trigger: "axis" as const,
      backgroundColor: palette.surface,
      borderColor: palette.line,
      textStyle: { color: palette.text, fontSize: 12 },
    },
    xAxis: {
      type: "category" as const,
      data: [...labels],
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.line } },
      axisLabel: { color: palette.quiet },
    },
  };
}

function valueAxis(palette: Palette, { isInteger = false }: { readonly isInteger?: boolean } = {}) {
  return {
    type: "value" as const,
    min: 0,
    axisLabel: { color: palette.quiet },
    splitLine: { lineStyle: { color: palette.line } },
    ...(isInteger ? { minInterval: 1 } : {}),
  };
}

function percentLabel(palette: Palette) {
  return { color: palette.quiet, formatter: (value: number) => `${Math.round(value * 100)} %` };
}

function line(name: string, color: string, data: readonly (number | null)[]): LineSeriesOption {
  return {
    name,
    type: "line",
    color,
    symbolSize: 7,
    lineStyle: { width: 2 },
    connectNulls: true,
    data: [...data],
  };
}

function percentWords(value: unknown): string {
  return typeof value === "number" ? `${Math.round(value * 100)} %` : "–";
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}

/** `11-30` of `2026-11-30`. */
function dayLabel(day: string): string {
  return day.slice(5);
}
