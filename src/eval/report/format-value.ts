/** How a number is written beside its unit. */
import { formatNumber } from "../bench-report.ts";
import type { TableCell, Unit } from "./report.ts";

/** `0.314` as `31.4 %`, `1234.5` dollars as `$1,234.50`, `12.3` in `ms` as `12.30 ms`. */
export function formatValue(value: number, unit: Unit): string {
  const bare = formatBare(value, unit);
  if (bare === "–") return bare;
  const suffix = unitSuffix(unit);
  return suffix === "" ? bare : `${bare} ${suffix}`;
}

/** The number alone, for a column or an axis that names its unit in the head. */
export function formatBare(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "–";
  if (unit === "usd") return `${value < 0 ? "-" : ""}$${withThousands(Math.abs(value).toFixed(2))}`;
  if (unit === "share") return (value * 100).toFixed(1);
  if (unit === "count") return withThousands(String(Math.round(value)));
  return formatNumber(value);
}

/** A tick of an axis: as few digits as the number needs. */
export function formatTick(value: number, unit: Unit): string {
  const scaled = unit === "share" ? value * 100 : value;
  const text = withThousands(String(Number(scaled.toPrecision(4))));
  return unit === "usd" ? `$${text}` : text;
}

/**
 * What the cells of a column show, with the same number of digits throughout, so that they compare at
 * a glance; `–` for a figure that could not be had.
 */
export function formatColumn(cells: readonly TableCell[], unit: Unit): readonly string[] {
  const numbers = cells.filter((cell) => typeof cell === "number" && Number.isFinite(cell));
  const digits = digitsFor(numbers.map(Number));
  return cells.map((cell) => {
    if (cell === null || Number.isNaN(cell)) return "–";
    if (typeof cell === "string") return cell;
    if (unit === "usd" || unit === "share" || unit === "count") return formatBare(cell, unit);
    return withThousands(cell.toFixed(digits));
  });
}

function digitsFor(numbers: readonly number[]): number {
  if (numbers.every(Number.isInteger)) return 0;
  const greatest = Math.max(...numbers.map(Math.abs));
  if (greatest < 1) return 3;
  if (greatest < 10) return 2;
  return greatest < 1_000 ? 1 : 0;
}

/** What stands after a number or a title; empty when the number says it. */
export function unitSuffix(unit: Unit): string {
  if (unit === "share") return "%";
  return unit === "usd" || unit === "count" ? "" : unit;
}

/** `exact match (%)`. */
export function titleWithUnit(title: string, unit: Unit): string {
  const suffix = unitSuffix(unit);
  return suffix === "" ? title : `${title} (${suffix})`;
}

function withThousands(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
