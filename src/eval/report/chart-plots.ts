/** Charts with two axes of numbers: lines and named points. */
import { plotFrame } from "./chart-frame.ts";
import type { Scale } from "./chart-scale.ts";
import { formatValue } from "./format-value.ts";
import type { Estimate, LineChart, ScatterChart } from "./report.ts";
import { type Canvas, colourClass, hint, label, mark, px, textWidth } from "./svg.ts";

/** A drawing and its height. */
export interface Drawing {
  readonly svg: string;
  readonly height: number;
}

/** Above this many points a line needs no marks. */
const MAX_MARKS = 40;

/** Lines with their intervals as bands. */
export function drawLines(chart: LineChart, canvas: Canvas): Drawing {
  const { series, guide, x: xAxis, y: yAxis } = chart;
  const points = series.flatMap((one) => one.points);
  const frame = plotFrame({
    canvas,
    names: series.map(({ name }) => name),
    guide: guide?.name ?? null,
    ...{ xAxis, yAxis },
    xs: points.map((point) => point.x),
    ys: [
      ...points.flatMap((point) => extentOf(point.y)),
      ...(guide?.kind === "limit" ? [guide.y] : []),
    ],
  });
  const { x, y } = frame;
  const guideSvg = guide === null ? "" : drawGuide(guide, frame);
  const lines = series.map((one, i) => {
    const at = one.points.map((point) => `${px(x.place(point.x))} ${px(y.place(point.y.value))}`);
    const banded = one.points.filter((point) => point.y.interval !== null);
    const upper = banded.map((p) => `${px(x.place(p.x))} ${px(y.place(p.y.interval?.high ?? 0))}`);
    const lower = banded.map((p) => `${px(x.place(p.x))} ${px(y.place(p.y.interval?.low ?? 0))}`);
    const band =
      banded.length < 2
        ? ""
        : `<path class="band" d="M${[...upper, ...lower.reverse()].join("L")}Z"/>`;
    const marks =
      one.points.length > MAX_MARKS
        ? ""
        : one.points
            .map((point) =>
              mark(
                i,
                x.place(point.x),
                y.place(point.y.value),
                hint(
                  `${one.name}\n${xAxis.title}: ${formatValue(point.x, xAxis.unit)}\n${yAxis.title}: ${estimateText(point.y, yAxis.unit)}`,
                ),
              ),
            )
            .join("");
    const path = at.length < 2 ? "" : `<path class="line" d="M${at.join("L")}"/>`;
    return `<g class="${colourClass(i)}">${band}${path}${marks}</g>`;
  });
  return { svg: frame.svg + guideSvg + lines.join(""), height: frame.height };
}

function drawGuide(
  guide: NonNullable<LineChart["guide"]>,
  { x, y, left, right }: ReturnType<typeof plotFrame>,
): string {
  if (guide.kind === "limit") {
    const at = y.place(guide.y);
    return `<path class="guide" d="M${px(left)} ${px(at)}H${px(right)}"/>`;
  }
  const low = Math.max(x.min, y.min);
  const high = Math.min(x.max, y.max);
  return `<path class="guide" d="M${px(x.place(low))} ${px(y.place(low))}L${px(x.place(high))} ${px(y.place(high))}"/>`;
}

/** Named points with their intervals as bars, and the front that no other point beats. */
export function drawScatter(chart: ScatterChart, canvas: Canvas): Drawing {
  const { points, x: xAxis, y: yAxis } = chart;
  const frame = plotFrame({
    canvas,
    names: [],
    guide: null,
    ...{ xAxis, yAxis },
    xs: points.flatMap((point) => extentOf(point.x)),
    ys: points.flatMap((point) => extentOf(point.y)),
  });
  const { x, y } = frame;
  const placed = points.map((point) => ({
    left: x.place(point.x.value),
    top: y.place(point.y.value),
  }));
  const front = chart.front === null ? [] : paretoFront(points);
  const steps = front
    .map((point, i) => {
      const at = `${px(x.place(point.x.value))} ${px(y.place(point.y.value))}`;
      return i === 0 ? `M${at}` : `L${at}`;
    })
    .join("");
  // Names keep off points and off their intervals.
  const taken: Box[] = points.flatMap((point, i) => {
    const { left, top } = placed[i] ?? { left: 0, top: 0 };
    const [west = left, east = left] = intervalPlaces(point.x, x);
    const [south = top, north = top] = intervalPlaces(point.y, y);
    return [
      { left: left - 6, right: left + 6, top: top - 6, bottom: top + 6 },
      { left: west, right: east, top: top - 2, bottom: top + 2 },
      { left: left - 2, right: left + 2, top: north, bottom: south },
    ];
  });
  const drawn = points.map((point, i) => {
    const at = placed[i] ?? { left: 0, top: 0 };
    const bars = [
      point.x.interval === null
        ? ""
        : `<path class="error" d="M${px(x.place(point.x.interval.low))} ${px(at.top)}H${px(x.place(point.x.interval.high))}"/>`,
      point.y.interval === null
        ? ""
        : `<path class="error" d="M${px(at.left)} ${px(y.place(point.y.interval.low))}V${px(y.place(point.y.interval.high))}"/>`,
    ].join("");
    const box = freeBox(point.name, at, { taken, frame });
    taken.push(box);
    const tip = `${point.name}\n${xAxis.title}: ${estimateText(point.x, xAxis.unit)}\n${yAxis.title}: ${estimateText(point.y, yAxis.unit)}`;
    return (
      `<g class="${colourClass(i)}">${bars}${mark(i, at.left, at.top, hint(tip))}</g>` +
      label(point.name, { x: box.left, y: box.bottom - 4 }, "point-name")
    );
  });
  const frontSvg = front.length < 2 ? "" : `<path class="front" d="${steps}"/>`;
  return { svg: frame.svg + frontSvg + drawn.join(""), height: frame.height };
}

/** The points that no other beats in both: less x and more y is better. Ordered by x. */
export function paretoFront(points: ScatterChart["points"]): ScatterChart["points"] {
  const ordered = [...points].sort((a, b) => a.x.value - b.x.value || b.y.value - a.y.value);
  let best = Number.NEGATIVE_INFINITY;
  return ordered.filter((point) => {
    if (!(point.y.value > best)) return false;
    best = point.y.value;
    return true;
  });
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a name can stand: right of its point, left, above, below, further; else right after all. */
function freeBox(
  name: string,
  at: { readonly left: number; readonly top: number },
  {
    taken,
    frame,
  }: { readonly taken: readonly Box[]; readonly frame: ReturnType<typeof plotFrame> },
): Box {
  const width = textWidth(name);
  const boxAt = (left: number, bottom: number): Box => ({
    ...{ left, right: left + width, top: bottom - 16, bottom },
  });
  const shifts = [0, 16, -16, 32, -32];
  const wanted = shifts.flatMap((shift) => [
    boxAt(at.left + 9, at.top + 8 + shift),
    boxAt(at.left - 9 - width, at.top + 8 + shift),
    boxAt(at.left - width / 2, at.top - 8 + shift),
  ]);
  const isFree = (box: Box): boolean =>
    box.left >= frame.left - 4 &&
    box.right <= frame.right + 12 &&
    box.top >= frame.top - 8 &&
    box.bottom <= frame.bottom &&
    taken.every(
      (other) =>
        box.right <= other.left ||
        other.right <= box.left ||
        box.bottom <= other.top ||
        other.bottom <= box.top,
    );
  const inside = boxAt(Math.min(at.left + 9, frame.right + 12 - width), at.top + 8);
  return wanted.find(isFree) ?? inside;
}

function intervalPlaces({ interval }: Estimate, scale: Scale): readonly number[] {
  return interval === null ? [] : [scale.place(interval.low), scale.place(interval.high)];
}

function extentOf({ value, interval }: Estimate): readonly number[] {
  return interval === null ? [value] : [value, interval.low, interval.high];
}

/** `31.4 % (30.1 % to 32.9 %)`. */
export function estimateText({ value, interval }: Estimate, unit: string): string {
  const text = formatValue(value, unit);
  return interval === null
    ? text
    : `${text} (${formatValue(interval.low, unit)} to ${formatValue(interval.high, unit)})`;
}
