/** `--report` and `--json`: how every evaluation is written down. */
import { type Command, Option } from "commander";
import { renderMarkdown } from "../eval/report/render-markdown.ts";
import type { Report } from "../eval/report/report.ts";
import { renderJson, writeReport } from "../eval/report/write-report.ts";
import { outputFolder } from "./output-place.ts";

/** Where a report goes besides the terminal. */
export interface ReportOutput {
  /** Folder for the page, Markdown, JSON and pictures; `null` writes none. */
  readonly folder: string | null;
  /** Print JSON in place of tables. */
  readonly json: boolean;
}

/** Adds the flags to a command. */
export function withReportOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--report <dir>", "also write a page, Markdown and JSON into this folder"),
    )
    .addOption(new Option("--json", "print the report as JSON"));
}

/** What the command line said. Throws `UsageError` when nothing can be written into the folder. */
export function reportOutputOf(command: Command): ReportOutput {
  return { folder: reportFolderOf(command), json: command.opts().json === true };
}

/** The folder of `--report`; `null` without it. Throws as `reportOutputOf`. */
export function reportFolderOf(command: Command): string | null {
  const { report } = command.opts();
  return outputFolder("--report", typeof report === "string" ? report : null);
}

/** Prints the report on stdout and writes its files, named on stderr. `name` is that of the files. */
export async function emitReport(
  report: Report,
  { folder, json, name }: ReportOutput & { readonly name: string },
): Promise<void> {
  process.stdout.write(
    json ? renderJson(report) : renderMarkdown(report, { pictureOf: () => null }),
  );
  if (folder === null) return;
  const [page] = await writeReport(report, { folder, name });
  process.stderr.write(`midspan: the report is ${page}\n`);
}
