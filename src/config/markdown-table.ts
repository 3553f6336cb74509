/** A Markdown table with aligned columns, as the formatter of this repository writes it. */
export function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(3, ...cells.map((row) => (row[column] ?? "").length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)];
}
