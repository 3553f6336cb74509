/** The frame of a chart with two axes: legend, grid, ticks, titles of the axes. */
import { type Scale, scaleOf } from "./chart-scale.ts";
import { formatTick, titleWithUnit } from "./format-value.ts";
import type { Axis } from "./report.ts";
import { type Canvas, label, legend, px, textWidth } from "./svg.ts";

/** Where to draw. */
export interface Frame {
  readonly x: Scale;
  readonly y: Scale;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** Everything of the frame, to be drawn first. */
  readonly svg: string;
}

const TICK_ROOM = 22;
const AXIS_TITLE_ROOM = 22;

/** Lays out a plot below its legend. */
export function plotFrame(options: {
  readonly canvas: Canvas;
  readonly names: readonly string[];
  readonly guide: string | null;
  readonly xAxis: Axis;
  readonly yAxis: Axis;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}): Frame {
  const { canvas, names, guide, xAxis, yAxis, xs, ys } = options;
  const head = legend(names, { canvas, top: 14, left: 2, swatch: "mark", guide });
  // The title of the y axis stands above the axis, where it can be read without turning the head.
  const yTitleAt = head.height + 16;
  const top = yTitleAt + 12;
  const bottom = top + (canvas.isNarrow ? 220 : 300);
  const height = bottom + TICK_ROOM + AXIS_TITLE_ROOM;
  const y = scaleOf({ axis: yAxis, values: ys, isZoomed: true, from: bottom, to: top, steps: 5 });
  const yTicks = y.ticks.map((tick) => formatTick(tick, yAxis.unit));
  const left = 10 + Math.max(...yTicks.map(textWidth));
  const right = canvas.width - 14;
  const x = scaleOf({
    axis: xAxis,
    values: xs,
    isZoomed: false,
    from: left,
    to: right,
    steps: canvas.isNarrow ? 4 : 6,
  });
  const grid = y.ticks
    .map((tick, i) => {
      const at = y.place(tick);
      return (
        `<path class="grid" d="M${px(left)} ${px(at)}H${px(right)}"/>` +
        label(yTicks[i] ?? "", { x: left - 6, y: at + 4, anchor: "end" }, "tick")
      );
    })
    .join("");
  const shownTicks = thinned(
    x.ticks,
    (tick) => x.place(tick),
    (tick) => textWidth(formatTick(tick, xAxis.unit)),
  );
  const columns = shownTicks
    .map((tick) => {
      const at = x.place(tick);
      const text = formatTick(tick, xAxis.unit);
      const isLast = at + textWidth(text) / 2 > canvas.width;
      return (
        `<path class="grid" d="M${px(at)} ${px(top)}V${px(bottom + 4)}"/>` +
        label(
          text,
          { x: isLast ? canvas.width : at, y: bottom + 18, anchor: isLast ? "end" : "middle" },
          "tick",
        )
      );
    })
    .join("");
  const svg =
    head.svg +
    label(titleWithUnit(yAxis.title, yAxis.unit), { x: 2, y: yTitleAt }, "axis") +
    grid +
    columns +
    label(
      titleWithUnit(xAxis.title, xAxis.unit),
      { x: right, y: height - 8, anchor: "end" },
      "axis",
    );
  return { x, y, left, right, top, bottom, height, svg };
}

/** Ticks whose texts do not touch, from the left. */
function thinned(
  ticks: readonly number[],
  place: (tick: number) => number,
  widthOf: (tick: number) => number,
): readonly number[] {
  let free = Number.NEGATIVE_INFINITY;
  return ticks.filter((tick) => {
    const from = place(tick) - widthOf(tick) / 2;
    if (from < free) return false;
    free = place(tick) + widthOf(tick) / 2 + 8;
    return true;
  });
}
