/** `midspan eval filters`. */
import type { Command } from "commander";
import type { ProgramParts } from "./model-program.ts";
import { reportOutputOf, withReportOptions } from "./report-options.ts";

/** Adds `filters` below `eval`. */
export function addEvalFiltersCommand(evaluate: Command, { end }: ProgramParts): void {
  const filters = evaluate
    .command("filters")
    .description("count the right texts that each filter spoils, and the wrong ones that it hides")
    .argument(
      "<answers>",
      "what `midspan bench inference --parts quality,blocks --answers FILE` kept",
    );
  withReportOptions(filters).action(async (answers: string) => {
    const { evalFiltersCommand } = await import("./eval-filters.ts");
    end(await evalFiltersCommand({ answers, output: reportOutputOf(filters) }));
  });
}
