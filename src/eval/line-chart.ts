/**
 * A line chart as a self-contained SVG that reads well on light and on dark: colours follow the
 * reader's scheme, lines are told apart by colour and by the name at their end. Both axes are shares.
 */

/** One line. Points are shares, 0..1, drawn in the order given. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface ChartOptions {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Draws the line on which both shares are equal. */
  readonly hasDiagonal: boolean;
}

const WIDTH = 640;
const HEIGHT = 420;
const LEFT = 64;
const RIGHT = 168;
const TOP = 44;
const BOTTOM = 52;
/** Okabe and Ito's colours, told apart by colour-blind readers too; the second one is for dark. */
const COLOURS = [
  ["#0072b2", "#56b4e9"],
  ["#d55e00", "#ff9d5c"],
  ["#007f5f", "#3fd3a4"],
  ["#a3478a", "#e59ad0"],
  ["#8a6d00", "#f0e442"],
] as const;
const LABEL_HEIGHT = 16;

/** The SVG text. More than five lines share colours. */
export function lineChart(series: readonly ChartSeries[], options: ChartOptions): string {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const grid = ticks.map(
    (tick) =>
      `<path class="grid" d="M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}"/>` +
      `<text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle">${tick * 100} %</text>` +
      `<text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end">${tick * 100} %</text>`,
  );
  const diagonal = `<path class="diagonal" d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>`;
  const drawn = series.filter(({ points }) => points.length > 0);
  const labelYs = spread(drawn.map(({ points }) => y(points.at(-1)?.y ?? 0)));
  const lines = drawn.map(({ name, points }, i) => {
    const colour = `c${i % COLOURS.length}`;
    const path = points.map((point) => `${x(point.x)} ${y(point.y)}`).join("L");
    const dots = points.map((point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3"/>`);
    const end = points.at(-1) ?? { x: 0, y: 0 };
    const labelY = labelYs[i] ?? 0;
    return (
      `<g class="${colour}"><path class="line" d="M${path}"/>${dots.join("")}` +
      `<path class="lead" d="M${x(end.x) + 5} ${y(end.y)}L${x(1) + 10} ${labelY}"/>` +
      `<text x="${x(1) + 14}" y="${labelY + 4}">${escapeText(name)}</text></g>`
    );
  });
  const centre = TOP + (HEIGHT - TOP - BOTTOM) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${escapeText(options.title)}</title>`,
    `<style>${style()}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="8"/>`,
    `<text class="title" x="${LEFT}" y="26">${escapeText(options.title)}</text>`,
    ...grid,
    options.hasDiagonal ? diagonal : "",
    ...lines,
    `<text x="${x(0.5)}" y="${HEIGHT - 12}" text-anchor="middle">${escapeText(options.xTitle)}</text>`,
    `<text transform="translate(16 ${centre}) rotate(-90)" text-anchor="middle">${escapeText(options.yTitle)}</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function x(share: number): number {
  return round(LEFT + share * (WIDTH - LEFT - RIGHT));
}

function y(share: number): number {
  return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Moves labels down until none covers another. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let lowest = Number.NEGATIVE_INFINITY;
  for (const i of order) {
    lowest = Math.max(wanted[i] ?? 0, lowest + LABEL_HEIGHT);
    placed[i] = lowest;
  }
  return placed;
}

function style(): string {
  const colours = (scheme: 0 | 1): string =>
    COLOURS.map((pair, i) => `.c${i}{fill:${pair[scheme]};stroke:${pair[scheme]}}`).join("");
  return (
    "text{font:12px system-ui,sans-serif;fill:#3d4350;stroke:none}g text{fill:inherit}.title{font-size:15px;font-weight:600}" +
    ".paper{fill:#ffffff}.grid{stroke:#e3e6ec;fill:none}.diagonal{stroke:#9aa1ae;stroke-dasharray:4 4;fill:none}" +
    ".line{fill:none;stroke-width:2}.lead{fill:none;stroke-width:1;opacity:.5}" +
    colours(0) +
    "@media(prefers-color-scheme:dark){.paper{fill:#14171d}text{fill:#c5cbd8}.grid{stroke:#2a2f3a}" +
    `.diagonal{stroke:#6b7280}${colours(1)}}`
  );
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
