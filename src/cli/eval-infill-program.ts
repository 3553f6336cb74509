/** `midspan eval infill`. */
import { type Command, Option } from "commander";
import type { ProgramParts } from "./model-program.ts";
import { positiveInteger } from "./number-flags.ts";
import { outputFile } from "./output-place.ts";
import { reportOutputOf, withReportOptions } from "./report-options.ts";

/** Adds `infill` below `eval`. */
export function addEvalInfillCommand(evaluate: Command, parts: ProgramParts): void {
  const { withSettings, flagsOf, end } = parts;
  const infill = evaluate
    .command("infill")
    .description("ask for the missing piece of programs and run their tests")
    .argument(
      "[sets...]",
      "such as humaneval-infilling/single-line, humanevalpack-js or mbxp-typescript; all of them",
    )
    .addOption(
      new Option(
        "--way <way>",
        "plain: sentinels only, raw text; prompt: our prompt, raw text; full: everything",
      )
        .choices(["plain", "prompt", "full"])
        .default("full"),
    )
    .addOption(
      new Option("--order <order>", "order of the prompt; the format's own if absent").choices([
        ...["psm", "spm1", "spm2", "efim"],
      ]),
    )
    .option("--data <dir>", "folder with the data; fetched into the cache if absent")
    .option("--santacoder <file>", "also compare lines of SantaCoder-FIM, as JSON lines")
    .option("--limit <n>", "a sample of so many tasks of each set", positiveInteger)
    .option("--seed <n>", "another sample", positiveInteger, 1)
    .option("--samples <n>", "answers for each task, for pass@k", positiveInteger, 1)
    .option("--temperature <t>", "0 is greedy", temperature, 0)
    .option("--line-tokens <n>", "output at most, single lines", positiveInteger, 64)
    .option("--block-tokens <n>", "output at most, several lines", positiveInteger, 256)
    .option("--parallel <n>", "tasks at once", positiveInteger, 2)
    .option("--out <file>", "where results are kept, to be continued; in the cache if absent")
    .option("--restart", "forget the results that are kept")
    .option("--unsafe", "run generated code with your own rights where it cannot be isolated")
    .addOption(
      new Option(
        "--script <who>",
        "a backend that knows the answers checks the harness itself",
      ).choices(["perfect", "empty"]),
    )
    .addOption(
      new Option(
        "--losses",
        "only count the right answers that the filters spoil; asks nothing and runs no answer",
      ).conflicts("script"),
    );
  withReportOptions(infill);
  withSettings(infill, "shared").action(async (sets: readonly string[]) => {
    const { evalInfillCommand } = await import("./eval-infill.ts");
    const options = infill.opts();
    end(
      await evalInfillCommand({
        sets,
        flags: flagsOf(infill),
        way: options.way,
        order: options.order ?? null,
        data: options.data ?? process.env.MIDSPAN_DATA ?? null,
        santacoder: options.santacoder ?? null,
        limit: options.limit ?? null,
        seed: options.seed,
        samples: options.samples,
        temperature: options.temperature,
        lineTokens: options.lineTokens,
        blockTokens: options.blockTokens,
        parallel: options.parallel,
        out: outputFile("--out", options.out ?? null),
        restarts: options.restart === true,
        isUnsafe: options.unsafe === true,
        script: options.losses === true ? "perfect" : (options.script ?? null),
        onlyLosses: options.losses === true,
        output: reportOutputOf(infill),
      }),
    );
  });

  function temperature(text: string): number {
    const value = Number(text);
    if (text.trim() !== "" && 0 <= value && value <= 2) return value;
    return infill.error(`error: ${text} is not a temperature from 0 to 2`);
  }
}
