/** What every bench hands back and how it is written down. */

/** Where a running bench says what it does; the caller draws it. */
export interface BenchReporter {
  /** One step of a long piece of work. */
  progress(step: { readonly label: string; readonly done: number; readonly total: number }): void;
  /** A remark for the person, such as a corpus that is fetched. */
  note(text: string): void;
}

/** Says nothing. */
export const silentReporter: BenchReporter = { progress: () => {}, note: () => {} };

/** A figure and the goal it is held against. */
export interface BenchCheck {
  readonly name: string;
  readonly value: number;
  readonly goal: { readonly kind: "at-least" | "at-most"; readonly value: number };
  /** Appended to numbers: ` ms`, ` %`, or empty. */
  readonly unit: string;
}

/** Whether the figure reaches its goal; a figure that is missing (`NaN`) does not. */
export function isReached({ value, goal }: BenchCheck): boolean {
  return goal.kind === "at-least" ? value >= goal.value : value <= goal.value;
}

/** One line per check, with a mark. */
export function formatChecks(checks: readonly BenchCheck[]): string {
  const rows = checks.map((check) => [
    isReached(check) ? "pass" : "FAIL",
    check.name,
    formatNumber(check.value) + check.unit,
    (check.goal.kind === "at-least" ? "≥ " : "≤ ") + formatNumber(check.goal.value) + check.unit,
  ]);
  return formatTable(["", "check", "measured", "goal"], rows);
}

/**
 * A table that reads well on a terminal and is a table in Markdown too. Without `aligns`, a column
 * of numbers is flush right, any other flush left.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  aligns: readonly ("left" | "right")[] | null = null,
): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const isNumeric = head.map((_, column) =>
    aligns !== null
      ? aligns[column] === "right"
      : rows.length > 0 && rows.every((row) => /^[-–—≥≤± $]*\d|^$|^–$/.test(row[column] ?? "")),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return isNumeric[column] === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(" | ")} |`;
  const rule = `| ${widths
    .map((width, column) =>
      isNumeric[column] === true ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
    )
    .join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** `0.3142` as `31.4`. */
export function percent(share: number): string {
  return Number.isNaN(share) ? "–" : (share * 100).toFixed(1);
}

/** At most three significant digits after the comma, thousands as they are; `–` when missing. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return String(Math.round(value));
  return value.toFixed(Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 2 : 1);
}
