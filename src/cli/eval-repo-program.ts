/** `midspan eval repo`. */
import { type Command, Option } from "commander";
import type { ProgramParts } from "./model-program.ts";
import { positiveInteger } from "./number-flags.ts";
import { outputFile } from "./output-place.ts";
import { reportOutputOf, withReportOptions } from "./report-options.ts";

/** Adds `repo` below `eval`. */
export function addEvalRepoCommand(evaluate: Command, parts: ProgramParts): void {
  const { withSettings, flagsOf, end } = parts;
  const repo = evaluate
    .command("repo")
    .description("ask for lines of a repository and compare with what stands there")
    .argument("[dir]", "workspace; the nearest folder with .git, else the current one")
    .option(
      "--cursors <n>",
      "places that are asked, each with and without suffix",
      positiveInteger,
      2_000,
    )
    .option("--commits <n>", "newest commits whose added lines are asked", positiveInteger, 200)
    .addOption(
      new Option("--split <how>", "what is held out")
        .choices(["auto", "commits", "files"])
        .default("auto"),
    )
    .option("--rev <commit>", "the newest commit that is looked at (default: HEAD)")
    .option("--seed <n>", "another sample", positiveInteger, 1)
    .option("--minutes <n>", "stop asking after this time", positiveInteger)
    .option("--answers <file>", "keep the answers here; the same command goes on with them")
    .option("--each-source", "also ask without each source of context, and with each alone")
    .option("--restart", "forget the answers that are kept");
  withReportOptions(repo);
  withSettings(repo, "shared").action(async (dir: string | undefined) => {
    const { evalRepoCommand } = await import("./eval-repo.ts");
    const { cursors, commits, split, rev, seed, minutes, answers, restart, eachSource } =
      repo.opts();
    end(
      await evalRepoCommand({
        dir: dir ?? null,
        flags: flagsOf(repo),
        cursors,
        commits,
        split,
        revision: rev ?? null,
        seed,
        minutes: minutes ?? null,
        answers: outputFile("--answers", answers ?? null),
        restart: restart === true,
        eachSource: eachSource === true,
        output: reportOutputOf(repo),
      }),
    );
  });
}
