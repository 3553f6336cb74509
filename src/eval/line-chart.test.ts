import { expect, it } from "vitest";
import { lineChart } from "./line-chart.ts";

const options = { title: "a < b", xTitle: "x", yTitle: "y", hasDiagonal: true };

it("draws each line with its name, and escapes what people wrote", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ];
  const svg = lineChart([{ name: "one & two", points }], options);
  expect(svg).toContain('<path class="line" d="M64 368L472 44"/>');
  expect(svg).toContain(">one &amp; two</text>");
  expect(svg).toContain("<title>a &lt; b</title>");
});

it("keeps the names of lines that end together apart", () => {
  const points = [{ x: 0.5, y: 0.5 }];
  const series = ["a", "b", "c"].map((name) => ({ name, points }));
  const rows = [...lineChart(series, options).matchAll(/<text x="486" y="([\d.]+)"/g)];
  expect(rows.map((row) => Number(row[1]))).toEqual([210, 226, 242]);
});

it("leaves out a line without points", () => {
  expect(lineChart([{ name: "nothing", points: [] }], options)).not.toContain("nothing");
});
