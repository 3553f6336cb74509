/** A chart as SVG: alone in a file, or inside a page that brings the style. */
import { drawBars, drawWaterfall } from "./chart-bars.ts";
import { type Drawing, drawLines, drawScatter } from "./chart-plots.ts";
import { chartStyle, darkColours, lightColours } from "./chart-style.ts";
import type { ReportChart } from "./report.ts";
import { type Canvas, escapeText, px } from "./svg.ts";

const WIDE: Canvas = { width: 704, isNarrow: false };
/** What a phone of 390 points leaves between its margins. */
const NARROW: Canvas = { width: 326, isNarrow: true };
const MARGIN = 16;
const TITLE_ROOM = 34;

/** The chart for a page: `narrow` is laid out anew, not made smaller, so that it can be read. */
export function chartElement(chart: ReportChart, size: "wide" | "narrow"): string {
  const canvas = size === "wide" ? WIDE : NARROW;
  const { svg, height } = draw(chart, canvas);
  return (
    `<svg class="chart ${size}" viewBox="0 0 ${canvas.width} ${px(height)}" role="img" ` +
    `aria-label="${escapeText(chart.title)}">${svg}</svg>`
  );
}

/** The chart as a file of its own, with its title, for light and for dark. */
export function chartFile(chart: ReportChart): string {
  const { svg, height } = draw(chart, WIDE);
  const width = WIDE.width + 2 * MARGIN;
  const total = height + TITLE_ROOM + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${px(total)}" role="img">`,
    `<title>${escapeText(chart.title)}</title>`,
    `<style>:root{${lightColours}}@media(prefers-color-scheme:dark){:root{${darkColours}}}${chartStyle}</style>`,
    `<rect fill="var(--paper)" width="${width}" height="${px(total)}" rx="10"/>`,
    `<g class="chart" transform="translate(${MARGIN} ${MARGIN})">`,
    `<text class="chart-title" x="2" y="18">${escapeText(chart.title)}</text>`,
    `<g transform="translate(0 ${TITLE_ROOM})">${svg}</g></g>`,
    "</svg>",
    "",
  ].join("\n");
}

function draw(chart: ReportChart, canvas: Canvas): Drawing {
  switch (chart.kind) {
    case "line":
      return drawLines(chart, canvas);
    case "bar":
      return drawBars(chart, canvas);
    case "scatter":
      return drawScatter(chart, canvas);
    case "waterfall":
      return drawWaterfall(chart, canvas);
  }
}
