/** Columns for people, padded by hand: no colours, no frames, nothing to strip from a pipe. */

/** How the cells of a column stand. */
export type Alignment = "left" | "right";

/** Lines of a table with two blanks between columns and none at the ends of lines. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? "";
        return alignments[column] === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** A text in lines of at most `width` characters, cut between words, the later ones indented. */
export function wrapped(
  text: string,
  options: { readonly width: number; readonly indent: number },
): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const isFull = line !== "" && line.length + 1 + word.length > options.width;
    if (isFull) lines.push(line);
    line = line === "" || isFull ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(options.indent)}`);
}
