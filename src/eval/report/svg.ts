/** Small pieces of SVG that all charts are made of. */

/** The size of a drawing, and how much room letters take. */
export interface Canvas {
  readonly width: number;
  readonly isNarrow: boolean;
}

/** Widths of letters of a system font of 12 pixels, rather too wide than too narrow. */
const LETTER_WIDTH = 7.3;
const THIN_WIDTH = 4.2;
const WIDE_WIDTH = 10.2;

/** About how wide a text is drawn. */
export function textWidth(text: string): number {
  const thin = text.match(/[ijlftrI.,:;'|()[\] ]/g)?.length ?? 0;
  const wide = text.match(/[mwMW@%]/g)?.length ?? 0;
  return (text.length - thin - wide) * LETTER_WIDTH + thin * THIN_WIDTH + wide * WIDE_WIDTH;
}

/** Text for element content and attribute values. */
export function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A number with one digit after the point: a tenth of a pixel is enough. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text at a place. */
export function label(
  text: string,
  at: { readonly x: number; readonly y: number; readonly anchor?: "start" | "middle" | "end" },
  className = "",
): string {
  const anchor =
    at.anchor === undefined || at.anchor === "start" ? "" : ` text-anchor="${at.anchor}"`;
  const classes = className === "" ? "" : ` class="${className}"`;
  return `<text x="${px(at.x)}" y="${px(at.y)}"${anchor}${classes}>${escapeText(text)}</text>`;
}

/** What a pointer that rests on a shape is told. */
export function hint(text: string): string {
  return `<title>${escapeText(text)}</title>`;
}

/** A text no longer than the room, cut with an ellipsis. */
export function fitted(text: string, room: number): string {
  const letters = Math.max(1, Math.floor(room / LETTER_WIDTH));
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
}

const MARKS = 4;
/** How many colours there are before they recur. */
export const COLOUR_COUNT = 7;

/** A point: shapes differ, so that nobody needs to tell colours apart. */
export function mark(series: number, x: number, y: number, inner = ""): string {
  const close = inner === "" ? "/>" : `>${inner}`;
  const end = (name: string): string => (inner === "" ? "" : `</${name}>`);
  switch (series % MARKS) {
    case 0:
      return `<circle class="mark" cx="${px(x)}" cy="${px(y)}" r="3.5"${close}${end("circle")}`;
    case 1:
      return `<path class="mark" d="M${px(x - 3.5)} ${px(y - 3.5)}h7v7h-7z"${close}${end("path")}`;
    case 2:
      return `<path class="mark" d="M${px(x)} ${px(y - 4.5)}l4.5 8h-9z"${close}${end("path")}`;
    default:
      return `<path class="mark" d="M${px(x)} ${px(y - 4.8)}l4.8 4.8l-4.8 4.8l-4.8-4.8z"${close}${end("path")}`;
  }
}

/** The class that gives a series its colour. */
export function colourClass(series: number): string {
  return `c${series % COLOUR_COUNT}`;
}

/** Names with their marks in lines of `canvas.width`; `height` is what they take. */
export function legend(
  names: readonly string[],
  options: {
    readonly canvas: Canvas;
    readonly top: number;
    readonly left: number;
    readonly swatch: "mark" | "block";
    /** Name of a dashed line that is no series; `null` for none. */
    readonly guide: string | null;
  },
): { readonly svg: string; readonly height: number } {
  const { canvas, top, left, swatch, guide } = options;
  const lineHeight = 18;
  let x = left;
  let y = top;
  const parts: string[] = [];
  const entries = guide === null ? names : [...names, guide];
  for (const [i, name] of entries.entries()) {
    const text = fitted(name, canvas.width - left - 24);
    const width = 16 + textWidth(text) + 14;
    if (x > left && x + width - 14 > canvas.width) {
      x = left;
      y += lineHeight;
    }
    const sign =
      i === names.length
        ? `<path class="guide" d="M${px(x - 1)} ${px(y - 4)}h13"/>`
        : swatch === "mark"
          ? mark(i, x + 5, y - 4)
          : `<rect class="mark" x="${px(x)}" y="${px(y - 9)}" width="10" height="10" rx="2"/>`;
    parts.push(`<g class="${colourClass(i)}">${sign}</g>${label(text, { x: x + 16, y })}`);
    x += width;
  }
  return { svg: parts.join(""), height: entries.length === 0 ? 0 : y - top + lineHeight };
}
