/**
 * What every evaluation emits: a value that says all there is to say and nothing about how it looks.
 * `render-markdown.ts`, `render-json.ts` and `render-html.ts` write it down; `write-report.ts` puts
 * the three into a folder. Numbers stay numbers here: rounding and units belong to the renderers.
 */
import type { BenchCheck } from "../bench-report.ts";

/** An evaluation's result. Sections are in reading order, the most important first. */
export interface Report {
  /** `Typing replayed`. */
  readonly title: string;
  /** What the reader should take away, in one or two sentences; empty when there is nothing to say. */
  readonly lead: string;
  /** What the figures hold for: hardware, engine, model, quantisation, template, seed, date. */
  readonly stamps: readonly Stamp[];
  readonly sections: readonly ReportSection[];
  readonly checks: readonly ReportCheck[];
}

/** One line of the stamp. */
export interface Stamp {
  readonly name: string;
  readonly value: string;
}

/** A heading and what stands below it. */
export interface ReportSection {
  readonly title: string;
  readonly blocks: readonly ReportBlock[];
}

/** A piece of a section. */
export type ReportBlock = Paragraph | Listing | ReportTable | ReportChart;

/** Running text. No markup: renderers escape it. */
export interface Paragraph {
  readonly kind: "paragraph";
  readonly text: string;
}

/** Lines in a fixed pitch: formulas, a command, a sample. */
export interface Listing {
  readonly kind: "listing";
  readonly lines: readonly string[];
}

/**
 * What a number counts. `share` is 0..1 and shown as per cent, `usd` as dollars and cents, `count` as
 * a whole number with thousands set apart, the empty text as it is; any other text, such as `ms` or
 * `tokens/s`, is shown beside the number.
 */
export type Unit = "share" | "usd" | "count" | "" | (string & {});

/** A table. Every row has a cell for every column. */
export interface ReportTable {
  readonly kind: "table";
  /** Said above the table; empty when the heading says it. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** A column of texts is flush left, one of numbers flush right. */
export interface TableColumn {
  readonly title: string;
  /** Of its numbers; a column of texts has the empty one. */
  readonly unit: Unit;
  readonly align: "left" | "right";
}

/** `null` is a figure that could not be had; it is shown as `–`. A text stands as it is. */
export type TableCell = string | number | null;

/** A chart as data. */
export type ReportChart = LineChart | BarChart | ScatterChart | WaterfallChart;

/** An axis of numbers. */
export interface Axis {
  readonly title: string;
  readonly unit: Unit;
  readonly scale: "linear" | "log";
}

/** A number and, where it is an estimate, the interval around it (95 % unless the chart says so). */
export interface Estimate {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Lines over an axis: precision over coverage, reliability, latency over load. */
export interface LineChart {
  readonly kind: "line";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly { readonly x: number; readonly y: Estimate }[];
  }[];
  /** A line that means something by itself; `null` for none. */
  readonly guide:
    | { readonly kind: "diagonal"; readonly name: string }
    | { readonly kind: "limit"; readonly name: string; readonly y: number }
    | null;
}

/** Groups of bars side by side: tokens per key press, exact match per language. */
export interface BarChart {
  readonly kind: "bar";
  readonly title: string;
  readonly y: Axis;
  readonly categories: readonly string[];
  /** As many values as categories; `null` draws no bar. */
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (Estimate | null)[];
  }[];
}

/** Named points: accuracy against time. */
export interface ScatterChart {
  readonly kind: "scatter";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly points: readonly { readonly name: string; readonly x: Estimate; readonly y: Estimate }[];
  /** Draws the line through the points that no other beats in both; `null` draws none. */
  readonly front: "less-x-more-y" | null;
}

/** Stacked stages, each beginning where the one before ends: the latency of a key press. */
export interface WaterfallChart {
  readonly kind: "waterfall";
  readonly title: string;
  readonly x: Axis;
  /** `quoted`, `measured p50`. */
  readonly rows: readonly string[];
  /** In the order in which they happen; as many values as rows, `null` where a row lacks the stage. */
  readonly stages: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
}

/**
 * A figure, its goal, and by how much it moves from run to run for no reason (half the width of its
 * 95 % interval, in the figure's own unit; 0 when it always comes out the same).
 */
export interface ReportCheck extends BenchCheck {
  readonly noise: number;
}

/** An estimate without an interval. */
export function exactly(value: number): Estimate {
  return { value, interval: null };
}

/** A column of texts. */
export function textColumn(title: string): TableColumn {
  return { title, unit: "", align: "left" };
}

/** A column of numbers in a unit. */
export function numberColumn(title: string, unit: Unit): TableColumn {
  return { title, unit, align: "right" };
}

/** A paragraph. */
export function paragraph(text: string): Paragraph {
  return { kind: "paragraph", text };
}
