/** A report into a folder: Markdown with its pictures, JSON, and one page. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chartFile } from "./chart-svg.ts";
import { renderHtml } from "./render-html.ts";
import { renderMarkdown } from "./render-markdown.ts";
import type { Report, ReportChart } from "./report.ts";

/** The report's JSON: the value itself, numbers unrounded. `NaN` becomes `null`. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Writes `NAME.md`, `NAME.json`, `NAME.html` and `NAME-1.svg` ... for the charts. Returns the paths,
 * the page first. Rejects when the folder cannot be made or written.
 */
export async function writeReport(
  report: Report,
  options: { readonly folder: string; readonly name: string },
): Promise<readonly string[]> {
  const { folder, name } = options;
  const charts = report.sections.flatMap(({ blocks }) => blocks.filter(isChart));
  const pictures = new Map(charts.map((chart, i) => [chart, `${name}-${i + 1}.svg`]));
  const files: readonly (readonly [string, string])[] = [
    [`${name}.html`, renderHtml(report)],
    [`${name}.md`, renderMarkdown(report, { pictureOf: (chart) => pictures.get(chart) ?? null })],
    [`${name}.json`, renderJson(report)],
    ...charts.map((chart, i) => [`${name}-${i + 1}.svg`, chartFile(chart)] as const),
  ];
  await mkdir(folder, { recursive: true });
  for (const [file, text] of files) await writeFile(join(folder, file), text);
  return files.map(([file]) => join(folder, file));
}

function isChart(block: Report["sections"][number]["blocks"][number]): block is ReportChart {
  return block.kind !== "paragraph" && block.kind !== "listing" && block.kind !== "table";
}
