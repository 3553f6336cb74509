/** What one run of the index did, in sentences for a person. */
import type { IndexReport } from "../host/index-run.ts";
import type { SymbolReport } from "../host/symbol-table.ts";

/** One or more lines without a final line end. `symbols`: default none. */
export function indexSummary(report: IndexReport, symbols: SymbolReport | null = null): string {
  const { files, bytes, ms, lexedFiles, reusedFiles, leftOut, problems, stored } = report;
  const lines = [
    `Indexed ${count(files, "file")}, ${megabytes(bytes)} in ${(ms / 1000).toFixed(1)} s ` +
      `(${lexedFiles} read anew, ${reusedFiles} unchanged)`,
  ];
  if (symbols !== null) {
    const { definitions, parsedFiles } = symbols;
    lines.push(
      `Found ${count(definitions, "definition")} in ${count(symbols.files, "file")} in ` +
        `${(symbols.ms / 1000).toFixed(1)} s (${parsedFiles} parsed anew)`,
    );
  }
  const reasons = Object.entries(leftOut).filter(([, number]) => number > 0);
  if (reasons.length > 0) {
    const words = reasons.map(([reason, number]) => `${number} ${wordsOf(reason)}`);
    lines.push(`Files left out: ${words.join(", ")}`);
  }
  for (const { path, message } of problems) lines.push(`  ${path}: ${message}`);
  if (stored === "locked") {
    lines.push(
      "Another process keeps the stored index of this workspace; this one was not stored.",
    );
  }
  if (stored === "failed") lines.push("It could not be stored; the next start makes it anew.");
  return lines.join("\n");
}

/** `denied` alone would make people ask by whom. */
function wordsOf(reason: string): string {
  return reason === "denied" ? "secret or denied" : reason.replaceAll("-", " ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
