import { expect, test } from "vitest";
import type { StatsReply, WireUsage } from "../../protocol/stats.ts";
import {
  adaptationOption,
  charactersOption,
  latencyOption,
  type Palette,
  retentionOption,
  shownOption,
} from "./chart-options.ts";

const palette: Palette = {
  text: "t",
  quiet: "q",
  line: "l",
  surface: "s",
  accent: "a",
  good: "g",
  bad: "b",
  track: "k",
  font: "f",
};

const usage: WireUsage = {
  requests: 20,
  produced: 12,
  filtered: 2,
  none: 6,
  cancelled: 0,
  errors: 0,
  reasons: {},
  shown: 10,
  counted: 8,
  accepted: 3,
  partly_accepted: 1,
  rejected: 1,
  ignored: {},
  acceptance_rate: 0.5,
  weighted_acceptance_rate: 0.4,
  reject_rate: 0.1,
  accepted_chars: 60,
  mean_accepted_chars: 15,
  hours: 1,
  shown_per_hour: 10,
  accepted_chars_per_hour: 60,
  retained_chars_per_hour: 45.678,
  requests_per_shown: 2,
  latency_ms: { count: 12, p50: 4.444, p95: null },
  retention: [
    { after_seconds: 15, edits: 4, present: 1, kept: 0.9 },
    { after_seconds: 600, edits: 0, present: null, kept: null },
  ],
};

const stats: StatsReply = {
  enabled: true,
  days: 30,
  total: usage,
  languages: [],
  sources: [],
  by_day: [{ key: "2026-11-30", usage }],
  warnings: [],
  adaptation: {
    enabled: true,
    decisions: 60,
    decisions_needed: 50,
    share: 0.23,
    bias: -0.5,
    slope: 1,
    weights: { length: 0.25 },
  },
};

/** Name and data of each series. */
function seriesOf(option: object): unknown {
  const series: unknown = "series" in option ? option.series : [];
  if (!Array.isArray(series)) return [];
  return series.map(({ name, data }: { name: string; data: unknown }) => [name, data]);
}

test("A day's bar is as high as what was shown.", () => {
  expect(seriesOf(shownOption(stats, palette))).toEqual([
    ["accepted", [3]],
    ["in part", [1]],
    ["not taken", [6]],
    ["rate", [0.5]],
  ]);
});

test("What is not known is a gap, not nothing.", () => {
  expect(seriesOf(retentionOption(stats, palette))).toEqual([
    ["edits retained", [1, null]],
    ["characters retained", [0.9, null]],
  ]);
  expect(seriesOf(latencyOption(stats, palette))).toEqual([
    ["half within, ms", [4.44]],
    ["95 % within, ms", [null]],
  ]);
  expect(seriesOf(charactersOption(stats, palette))).toEqual([
    ["accepted", [60]],
    ["retained", [45.68]],
  ]);
});

test("A weight is drawn to the side to which it moves a chance, in its colour.", () => {
  expect(seriesOf(adaptationOption(stats.adaptation, palette))).toEqual([
    [
      undefined,
      [
        { value: 0.25, itemStyle: { color: "g" } },
        { value: -0.5, itemStyle: { color: "b" } },
      ],
    ],
  ]);
});
