/** The commands below `midspan eval`. */
import type { Command } from "commander";
import { addEvalFiltersCommand } from "./eval-filters-program.ts";
import { addEvalInfillCommand } from "./eval-infill-program.ts";
import { addEvalRepoCommand } from "./eval-repo-program.ts";
import type { ProgramParts } from "./model-program.ts";

/** Adds `eval` with its commands. */
export function addEvalCommands(program: Command, parts: ProgramParts): void {
  const evaluate = program
    .command("eval")
    .description("measure how good completions are, on benchmarks and on repositories");
  addEvalFiltersCommand(evaluate, parts);
  addEvalInfillCommand(evaluate, parts);
  addEvalRepoCommand(evaluate, parts);
  for (const command of evaluate.commands) command.exitOverride();
}
