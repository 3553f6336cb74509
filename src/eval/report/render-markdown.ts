/** A report as Markdown that reads well on a terminal too. */
import { formatTable, isReached } from "../bench-report.ts";
import { formatColumn, formatValue, titleWithUnit } from "./format-value.ts";
import type { Report, ReportBlock, ReportChart, ReportCheck, ReportTable } from "./report.ts";

export interface MarkdownOptions {
  /** Where a chart's picture lies; `null` says only that there is one. */
  readonly pictureOf: (chart: ReportChart) => string | null;
}

/** The whole report, ending in a line end. */
export function renderMarkdown(report: Report, { pictureOf }: MarkdownOptions): string {
  const { title, lead, stamps, sections, checks } = report;
  const parts = [
    `# ${title}`,
    lead,
    stamps.map(({ name, value }) => `- ${name}: ${value}`).join("\n"),
    ...sections.flatMap((section) => [
      section.title === "" ? "" : `## ${section.title}`,
      ...section.blocks.map((block) => markdownBlock(block, pictureOf)),
    ]),
    checks.length === 0 ? "" : `## Checks\n\n${checkTable(checks)}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function markdownBlock(block: ReportBlock, pictureOf: MarkdownOptions["pictureOf"]): string {
  switch (block.kind) {
    case "paragraph":
      return block.text;
    case "listing":
      return ["```", ...block.lines, "```"].join("\n");
    case "table":
      return markdownTable(block);
    default: {
      const picture = pictureOf(block);
      return picture === null ? "" : `![${block.title}](${picture})`;
    }
  }
}

/** A table with its caption above. */
export function markdownTable({ caption, columns, rows }: ReportTable): string {
  const shown = columns.map(({ unit }, i) =>
    formatColumn(
      rows.map((row) => row[i] ?? null),
      unit,
    ),
  );
  const table = formatTable(
    columns.map(({ title, unit }) => titleWithUnit(title, unit)),
    rows.map((_, i) => shown.map((column) => (column[i] ?? "").replaceAll("|", "\\|"))),
    columns.map(({ align }) => align),
  );
  return caption === "" ? table : `${caption}\n\n${table}`;
}

/** Whether each figure reaches its goal, and how much of it is noise. */
function checkTable(checks: readonly ReportCheck[]): string {
  return formatTable(
    ["", "check", "measured", "goal", "noise"],
    checks.map((check) => checkCells(check)),
  );
}

/** `pass`, the name, the figure, `≥ 98 %`, `± 0.40 %`. */
export function checkCells(check: ReportCheck): readonly string[] {
  const { name, value, goal, noise } = check;
  const unit = check.unit.trim();
  return [
    isReached(check) ? "pass" : "FAIL",
    name,
    formatValue(value, unit),
    (goal.kind === "at-least" ? "≥ " : "≤ ") + formatValue(goal.value, unit),
    noise === 0 ? "" : `± ${formatValue(noise, unit)}`,
  ];
}
