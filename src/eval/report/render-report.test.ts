import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chartElement, chartFile } from "./chart-svg.ts";
import { renderHtml } from "./render-html.ts";
import { renderMarkdown } from "./render-markdown.ts";
import {
  type Axis,
  exactly,
  numberColumn,
  paragraph,
  type Report,
  type ReportChart,
  textColumn,
} from "./report.ts";
import { renderJson, writeReport } from "./write-report.ts";

const share: Axis = { title: "right", unit: "share", scale: "linear" };
const time: Axis = { title: "time", unit: "ms", scale: "log" };

const charts: readonly ReportChart[] = [
  {
    ...{ kind: "line", title: "Precision <over> coverage", x: share, y: share },
    guide: { kind: "diagonal", name: "as stated" },
    series: [
      {
        name: "a & b",
        points: [
          { x: 0.1, y: exactly(0.9) },
          { x: 0.5, y: exactly(0.6) },
        ],
      },
      { name: "nothing", points: [] },
    ],
  },
  {
    ...{ kind: "bar", title: "Tokens", y: { title: "tokens", unit: "", scale: "linear" } },
    categories: ["every key", "ours"],
    series: [
      {
        name: "evaluated",
        values: [{ value: 800, interval: { low: 700, high: 900 } }, exactly(7)],
      },
      { name: "wasted", values: [exactly(12), null] },
    ],
  },
  {
    ...{
      kind: "scatter",
      title: "Accuracy against time",
      x: time,
      y: share,
      front: "less-x-more-y",
    },
    points: [
      { name: "fast", x: exactly(4), y: exactly(0.3) },
      { name: "good", x: exactly(40), y: { value: 0.6, interval: { low: 0.5, high: 0.7 } } },
    ],
  },
  {
    ...{ kind: "waterfall", title: "Latency", x: { title: "time", unit: "ms", scale: "linear" } },
    rows: ["quoted", "ours"],
    stages: [
      { name: "wait", values: [50, 0] },
      { name: "network", values: [20, null] },
    ],
  },
];

const report: Report = {
  title: "A <b> & C",
  lead: "All in all.",
  stamps: [{ name: "machine", value: 'one with "quotes"' }],
  sections: [
    {
      title: "Figures",
      blocks: [
        paragraph("A < B"),
        { kind: "listing", lines: ["a = b", "  = c"] },
        {
          kind: "table",
          caption: "Per model.",
          columns: [textColumn("model"), numberColumn("right", "share"), numberColumn("p50", "ms")],
          rows: [
            ["one|two", 0.314, 12.34],
            ["local", null, 250],
          ],
        },
        ...charts,
      ],
    },
  ],
  checks: [
    {
      name: "exact",
      value: 0.2,
      goal: { kind: "at-least", value: 0.15 },
      unit: "share",
      noise: 0.01,
    },
    { name: "wait", value: 30, goal: { kind: "at-most", value: 25 }, unit: " ms", noise: 0 },
  ],
};

it("writes Markdown whose tables line up", () => {
  expect(renderMarkdown(report, { pictureOf: () => null })).toBe(`# A <b> & C

All in all.

- machine: one with "quotes"

## Figures

A < B

\`\`\`
a = b
  = c
\`\`\`

Per model.

| model    | right (%) | p50 (ms) |
| -------- | --------: | -------: |
| one\\|two |      31.4 |     12.3 |
| local    |         – |    250.0 |

## Checks

|      | check | measured |     goal |   noise |
| ---- | ----- | -------: | -------: | ------: |
| pass | exact |   20.0 % | ≥ 15.0 % | ± 1.0 % |
| FAIL | wait  |    30 ms |  ≤ 25 ms |         |
`);
});

it("writes a page that asks for nothing and takes every text as text", () => {
  const page = renderHtml(report);
  expect(page).toContain("<h1>A &lt;b&gt; &amp; C</h1>");
  expect(page).toContain("1 of 2 goals missed");
  expect(page).not.toMatch(/<(script|link|img|iframe|object)\b|@import|url\(|(src|href)=/);
  expect(page.match(/class="chart wide"/g)?.length).toBe(charts.length);
  expect(page.match(/class="chart narrow"/g)?.length).toBe(charts.length);
});

it.each(charts.map((chart) => [chart.kind, chart] as const))(
  "draws a %s chart with numbers only, and balanced elements",
  (_, chart) => {
    for (const svg of [
      chartElement(chart, "wide"),
      chartElement(chart, "narrow"),
      chartFile(chart),
    ]) {
      expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
      const opened = [...svg.matchAll(/<(\w+)(?:\s[^<>]*?)?(\/?)>/g)];
      const closed = svg.match(/<\/\w+>/g) ?? [];
      expect(opened.filter((tag) => tag[2] === "").length).toBe(closed.length);
    }
  },
);

it("draws charts without any figure", () => {
  for (const chart of charts) {
    const empty: ReportChart =
      chart.kind === "scatter"
        ? { ...chart, points: [] }
        : chart.kind === "bar"
          ? { ...chart, categories: [], series: [] }
          : chart.kind === "line"
            ? { ...chart, series: [] }
            : { ...chart, rows: [], stages: [] };
    expect(chartFile(empty)).not.toMatch(/NaN|Infinity/);
  }
});

it("keeps numbers unrounded in JSON", () => {
  expect(JSON.parse(renderJson(report))).toEqual(report);
});

it("writes a folder of files, the page first", async () => {
  const folder = await mkdtemp(join(tmpdir(), "report-"));
  try {
    const paths = await writeReport(report, { folder: join(folder, "new"), name: "sample" });
    const names = [
      "sample.html",
      "sample.md",
      "sample.json",
      ...[1, 2, 3, 4].map((i) => `sample-${i}.svg`),
    ];
    expect(paths).toEqual(names.map((name) => join(folder, "new", name)));
    expect((await readdir(join(folder, "new"))).sort()).toEqual([...names].sort());
    const markdown = await readFile(join(folder, "new", "sample.md"), "utf8");
    expect(markdown).toContain("![Latency](sample-4.svg)");
  } finally {
    await rm(folder, { recursive: true });
  }
});
