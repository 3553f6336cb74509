/** A drawn chart that follows the size of its box. Only the parts of the library that are used. */
import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { element } from "../dom.ts";
import type { ChartOption, Palette } from "./chart-options.ts";

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

/** A chart with its title and a sentence on how to read it. */
export interface Chart {
  readonly element: HTMLElement;
  readonly draw: (option: ChartOption) => void;
}

export function createChart(title: string, says: string): Chart {
  const box = element("div", { class: "chart", role: "img", "aria-label": `${title}. ${says}` });
  const figure = element(
    "figure",
    { class: "card" },
    element("figcaption", {}, element("h2", {}, title), element("p", { class: "says" }, says)),
    box,
  );
  const chart = init(box, null, { renderer: "svg", width: 400, height: 220 });
  new ResizeObserver(() => {
    if (box.clientWidth > 0) chart.resize({ width: box.clientWidth, height: box.clientHeight });
  }).observe(box);
  return {
    element: figure,
    // Not merged: a series that is gone must not stay.
    draw: (option) => chart.setOption(option, { notMerge: true }),
  };
}

/** The colours as the style sheet has them now. */
export function paletteOf(root: HTMLElement): Palette {
  const probe = element("span", { hidden: true });
  root.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    text: colour("text"),
    quiet: colour("quiet"),
    line: colour("line"),
    surface: colour("raised"),
    accent: colour("accent"),
    good: colour("good"),
    bad: colour("bad"),
    track: colour("track-strong"),
    font: getComputedStyle(root).fontFamily,
  };
  probe.remove();
  return palette;
}
