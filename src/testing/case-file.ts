/**
 * Cases as plain text: a title, then named sections. Nothing is escaped; a section ends before the
 * line end that precedes the next `--- name` line, so a text that ends in a line end is followed by
 * an empty line. `UPDATE_CASES=1` rewrites the sections that differ.
 *
 *   A title that says what is true.
 *   --- document
 *   area(█)
 *   --- prompt
 *   <PRE> area( <SUF>) <MID>
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One section; names may repeat. */
export interface CaseSection {
  readonly name: string;
  readonly text: string;
}

/** One file. */
export interface CaseFile {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly CaseSection[];
}

/** Every `.case` file of a folder, by name. */
export function readCases(folder: string): readonly CaseFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".case"))
    .sort()
    .map((name) => readCase(join(folder, name)));
}

/** The text of the first section of that name; `null` when there is none. */
export function sectionOf(file: CaseFile, name: string): string | null {
  return file.sections.find((section) => section.name === name)?.text ?? null;
}

/** The text at both sides of the `█` in a document. */
export function aroundCursor(document: string): {
  readonly prefix: string;
  readonly suffix: string;
} {
  const [prefix, suffix, ...more] = document.split("█");
  if (prefix === undefined || suffix === undefined || more.length > 0) {
    throw new Error(`a document holds one █: ${document}`);
  }
  return { prefix, suffix };
}

/**
 * What the sections should be, for a comparison with `actual`. With `UPDATE_CASES=1` the file is
 * rewritten first, so that they are what they are; read the difference before you commit it.
 */
export function expectedSections(
  file: CaseFile,
  actual: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  if (process.env.UPDATE_CASES === "1") writeCase(file, actual);
  const current = process.env.UPDATE_CASES === "1" ? readCase(file.path) : file;
  return Object.fromEntries(Object.keys(actual).map((name) => [name, sectionOf(current, name)]));
}

function readCase(path: string): CaseFile {
  const [title = "", ...lines] = readFileSync(path, "utf8").split("\n");
  const sections: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith("--- ")) sections.push({ name: line.slice(4), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  // The file ends with a line end of its own.
  sections.at(-1)?.lines.pop();
  return {
    path,
    title,
    sections: sections.map(({ name, lines }) => ({ name, text: lines.join("\n") })),
  };
}

function writeCase(file: CaseFile, actual: Readonly<Record<string, string>>): void {
  const known = file.sections.map(({ name, text }) => ({ name, text: actual[name] ?? text }));
  const added = Object.entries(actual)
    .filter(([name]) => sectionOf(file, name) === null)
    .map(([name, text]) => ({ name, text }));
  const sections = [...known, ...added].map(({ name, text }) => `--- ${name}\n${text}\n`);
  writeFileSync(file.path, `${file.title}\n${sections.join("")}`);
}
