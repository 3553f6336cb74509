/**
 * Horizontal bars: groups side by side, and stages that follow one another. The name of a group
 * stands above its bars, so that long names have room on a phone too.
 */
import type { Drawing } from "./chart-plots.ts";
import { estimateText } from "./chart-plots.ts";
import { type Scale, scaleOf } from "./chart-scale.ts";
import { formatTick, formatValue, titleWithUnit } from "./format-value.ts";
import type { Axis, BarChart, WaterfallChart } from "./report.ts";
import { type Canvas, colourClass, fitted, hint, label, legend, px, textWidth } from "./svg.ts";

const NAME_HEIGHT = 18;
const BAR_HEIGHT = 14;
const BAR_STEP = 18;
const GROUP_GAP = 12;
const STAGE_HEIGHT = 26;
const AXIS_ROOM = 44;

/** One bar per value, below the name of its category. */
export function drawBars(chart: BarChart, canvas: Canvas): Drawing {
  const { categories, series, y: axis } = chart;
  const isOne = series.length === 1;
  const head = legend(isOne ? [] : series.map(({ name }) => name), {
    ...{ canvas, top: 14, left: 2, swatch: "block", guide: null },
  });
  const texts = series.flatMap(({ values }) =>
    values.map((one) => (one === null ? "" : formatValue(one.value, axis.unit))),
  );
  const right = canvas.width - 10 - Math.max(0, ...texts.map(textWidth));
  const values = series.flatMap((one) =>
    one.values.flatMap((value) => (value === null ? [] : [value.value, value.interval?.high ?? 0])),
  );
  const groupHeight = NAME_HEIGHT + series.length * BAR_STEP + GROUP_GAP;
  const top = head.height + 10;
  const bottom = top + categories.length * groupHeight;
  const x = scaleOf({
    axis,
    values,
    isZoomed: false,
    from: 2,
    to: right,
    steps: canvas.isNarrow ? 4 : 6,
  });
  const groups = categories.map((category, group) => {
    const groupTop = top + group * groupHeight;
    const bars = series.map((one, i) => {
      const value = one.values[group] ?? null;
      const barTop = groupTop + NAME_HEIGHT + i * BAR_STEP;
      if (value === null) return label("–", { x: 4, y: barTop + 11 }, "tick");
      const from = x.place(Math.min(0, value.value));
      const width = Math.max(1, Math.abs(x.place(value.value) - x.place(0)));
      const tip = `${category}${isOne ? "" : `, ${one.name}`}: ${estimateText(value, axis.unit)}`;
      const { interval } = value;
      const middle = barTop + BAR_HEIGHT / 2;
      const error =
        interval === null
          ? ""
          : `<path class="error strong" d="M${px(x.place(interval.low))} ${px(middle)}H${px(x.place(interval.high))}"/>`;
      const end = Math.max(from + width, interval === null ? 0 : x.place(interval.high));
      return (
        `<g class="${colourClass(i)}"><rect class="bar" x="${px(from)}" y="${px(barTop)}" ` +
        `width="${px(width)}" height="${BAR_HEIGHT}" rx="2">${hint(tip)}</rect>${error}</g>` +
        label(formatValue(value.value, axis.unit), { x: end + 6, y: barTop + 11 }, "value")
      );
    });
    return label(fitted(category, canvas.width), { x: 2, y: groupTop + 13 }) + bars.join("");
  });
  const ruler = drawRuler(x, { axis, top, bottom, canvas, right });
  return { svg: head.svg + ruler + groups.join(""), height: bottom + AXIS_ROOM };
}

/** Stages on one line per row, each beginning where the one before ends, with the sum at the end. */
export function drawWaterfall(chart: WaterfallChart, canvas: Canvas): Drawing {
  const { rows, stages, x: axis } = chart;
  const head = legend(
    stages.map(({ name }) => name),
    { canvas, top: 14, left: 2, swatch: "block", guide: null },
  );
  const sums = rows.map((_, row) =>
    stages.reduce((sum, { values }) => sum + (values[row] ?? 0), 0),
  );
  const right =
    canvas.width - 10 - Math.max(0, ...sums.map((sum) => textWidth(formatValue(sum, axis.unit))));
  const rowHeight = NAME_HEIGHT + STAGE_HEIGHT + GROUP_GAP;
  const top = head.height + 10;
  const bottom = top + rows.length * rowHeight;
  const x = scaleOf({
    axis,
    values: sums,
    isZoomed: false,
    from: 2,
    to: right,
    steps: canvas.isNarrow ? 4 : 6,
  });
  const lines = rows.map((name, row) => {
    const rowTop = top + row * rowHeight;
    let reached = 0;
    const segments = stages.map((stage, i) => {
      const value = stage.values[row] ?? null;
      if (value === null || value <= 0) return "";
      const from = x.place(reached);
      reached += value;
      const width = Math.max(0.5, x.place(reached) - from - 1);
      const text = formatTick(value, axis.unit);
      const isRoomy = width > textWidth(text) + 4;
      const tip = `${name}, ${stage.name}: ${formatValue(value, axis.unit)}`;
      return (
        `<g class="${colourClass(i)}"><rect class="bar" x="${px(from)}" y="${px(rowTop + NAME_HEIGHT)}" ` +
        `width="${px(width)}" height="${STAGE_HEIGHT}" rx="2">${hint(tip)}</rect></g>` +
        (isRoomy
          ? label(
              text,
              { x: from + width / 2, y: rowTop + NAME_HEIGHT + 17, anchor: "middle" },
              "on-bar",
            )
          : "")
      );
    });
    const sum = label(
      formatValue(sums[row] ?? 0, axis.unit),
      { x: x.place(reached) + 6, y: rowTop + NAME_HEIGHT + 17 },
      "value",
    );
    return label(fitted(name, canvas.width), { x: 2, y: rowTop + 13 }) + segments.join("") + sum;
  });
  const ruler = drawRuler(x, { axis, top, bottom, canvas, right });
  return { svg: head.svg + ruler + lines.join(""), height: bottom + AXIS_ROOM };
}

function drawRuler(
  x: Scale,
  options: {
    readonly axis: Axis;
    readonly top: number;
    readonly bottom: number;
    readonly canvas: Canvas;
    readonly right: number;
  },
): string {
  const { axis, top, bottom, canvas, right } = options;
  let free = Number.NEGATIVE_INFINITY;
  const ticks = x.ticks.map((tick) => {
    const at = x.place(tick);
    const text = formatTick(tick, axis.unit);
    const line = `<path class="grid" d="M${px(at)} ${px(top)}V${px(bottom + 2)}"/>`;
    const half = textWidth(text) / 2;
    const left = Math.max(0, Math.min(canvas.width - 2 * half, at - half));
    if (left < free) return line;
    free = left + 2 * half + 8;
    return line + label(text, { x: left + half, y: bottom + 16, anchor: "middle" }, "tick");
  });
  const title = label(
    titleWithUnit(axis.title, axis.unit),
    { x: right, y: bottom + 36, anchor: "end" },
    "axis",
  );
  return ticks.join("") + title;
}
