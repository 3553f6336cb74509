/** The commands and flags. Flags that are settings come from the one table of settings. */
import { Command, CommanderError, Option } from "commander";
import { flagNameOf, type SettingFlag, type SettingKey, settingFlags } from "../config/schema.ts";
import {
  modelBenchFlagsOf,
  targetsOfSettings,
  withModelBenchFlags,
} from "./bench-latency-flags.ts";
import { benchHelp, benchSuites } from "./bench-suites.ts";
import { addCostCommand } from "./cost-program.ts";
import { addEvalCommands } from "./eval-program.ts";
import { type ExitCode, reportFailure } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { addLspCommand } from "./lsp-program.ts";
import { addModelCommands } from "./model-program.ts";
import { positiveInteger } from "./number-flags.ts";
import { outputFile, outputFolder } from "./output-place.ts";
import { addReplayCommand } from "./replay-program.ts";
import { addStatsCommands } from "./stats-program.ts";
import { version } from "./version.ts";

/** Runs one command line and returns its exit code. Never throws. */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = defineProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has written its own sentence by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportFailure(error, process.stderr);
  }
}

function defineProgram(end: (code: ExitCode) => void): Command {
  const program = new Command("midspan")
    .description("Inline code completion that is private, instant and good.")
    .version(version, "-v, --version")
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError("(midspan --help lists the commands)")
    .exitOverride();

  const serve = program
    .command("serve")
    .description("index a workspace and serve completions and the playground")
    .argument("[dir]", "workspace; the nearest folder with .git, else the current one");
  withSettings(serve, "shared", "serve").action(async (dir: string | undefined) => {
    const { serveCommand } = await import("./serve.ts");
    end(await serveCommand({ dir: dir ?? null, flags: flagsOf(serve) }));
  });

  const complete = program
    .command("complete")
    .description("complete at one place of a file and print the text")
    .requiredOption("--file <path>", "the file; it is not written")
    .requiredOption("--line <n>", "line of the cursor, from 1", positiveInteger)
    .requiredOption("--column <n>", "column of the cursor, from 1", positiveInteger)
    .option("--explain", "also print candidates, chances and the decision")
    .option("--json", "print the whole answer as JSON");
  withSettings(complete, "shared").action(async () => {
    const { completeCommand } = await import("./complete.ts");
    const { file, line, column, explain, json } = complete.opts();
    const place = { file, line, column };
    const output = { explain: explain === true, json: json === true };
    end(await completeCommand({ ...place, ...output, flags: flagsOf(complete) }));
  });

  const index = program
    .command("index")
    .description("bring the index of a workspace up to date")
    .argument("[dir]", "workspace; the nearest folder with .git, else the current one")
    .option("--clear", "remove the stored index instead")
    .option("--json", "print the summary as JSON");
  withSettings(index, ["local.enabled", "offline.enabled", "logLevel"]).action(
    async (dir: string | undefined) => {
      const { indexCommand } = await import("./index-command.ts");
      const { clear, json } = index.opts();
      const options = { dir: dir ?? null, clear: clear === true, json: json === true };
      end(await indexCommand({ ...options, flags: flagsOf(index) }));
    },
  );

  const doctor = program
    .command("doctor")
    .description("check what Midspan needs and say what to do")
    .argument("[dir]", "workspace; the nearest folder with .git, else the current one")
    .option("--json", "print the checks as JSON");
  withSettings(doctor, "shared").action(async (dir: string | undefined) => {
    const { doctorCommand } = await import("./doctor.ts");
    const json = doctor.opts().json === true;
    end(await doctorCommand({ dir: dir ?? null, json, flags: flagsOf(doctor) }));
  });

  const config = program
    .command("config")
    .description("print the settings that hold here and where each comes from")
    .option("--explain <key>", "say all about one setting")
    .option("--json", "print the settings as JSON");
  withSettings(config, "shared", "serve").action(async () => {
    const { configCommand } = await import("./config-command.ts");
    const { explain, json } = config.opts();
    const options = { explain: explain ?? null, json: json === true };
    end(await configCommand({ ...options, flags: flagsOf(config) }));
  });

  program
    .command("clear")
    .description("remove the stored indexes of all workspaces")
    .action(async () => {
      const { clearCommand } = await import("./clear.ts");
      end(await clearCommand());
    });

  const bench = program
    .command("bench")
    .description("measure quality and speed and compare with the targets")
    .argument("[what]", `${benchNames(true)} or all of these; ${benchNames(false)}`, "all")
    .addHelpText("after", ({ command }) => benchHelp(command.args[0]))
    .option("--quick", "fewer cursors and packages, for a first look")
    .option("--strict", "exit with 1 when a target is missed")
    .option("--svg <dir>", "also draw the charts into this folder")
    .option(
      "--parts <names>",
      "inference: some of replay,load,abort,quality,windows,blocks; context: of sources,stability,lines,headers,scale",
    )
    .option("--cursors <n>", "inference, context: held-out cursors per package", positiveInteger)
    .option("--minutes <n>", "inference, context: stop asking after this time", positiveInteger)
    .option("--answers <file>", "inference, context: where answers are kept, to be continued")
    .option("--json", "print the figures as JSON");
  withSettings(withModelBenchFlags(bench), "shared").action(async (what: string) => {
    const { benchCommand } = await import("./bench.ts");
    const { quick, strict, svg, json, parts, cursors, minutes, answers } = bench.opts();
    const options = { quick: quick === true, strict: strict === true, json: json === true };
    const inference = {
      parts: parts ?? null,
      cursors: cursors ?? null,
      minutes: minutes ?? null,
      answers: outputFile("--answers", answers ?? null),
    };
    const flags = modelBenchFlagsOf(bench);
    const named = targetsOfSettings(what, flagsOf(bench));
    const models = { ...flags, targets: [...flags.targets, ...named] };
    const charts = { svg: outputFolder("--svg", svg ?? null) };
    end(await benchCommand({ what, ...options, ...inference, ...models, ...charts }));
  });

  addModelCommands(program, { withSettings, flagsOf, end });
  addReplayCommand(program, { withSettings, flagsOf, end });
  addStatsCommands(program, end);
  addCostCommand(program, { end });
  addEvalCommands(program, { withSettings, flagsOf, end });
  addLspCommand(program, { withSettings, flagsOf, end });

  for (const command of program.commands) pointToHelp(command, "midspan");
  return program;
}

/** A wrong command line is told where its own flags are listed, also below `model` and `eval`. */
function pointToHelp(command: Command, above: string): void {
  const name = `${above} ${command.name()}`;
  const lists = command.commands.length > 0 ? "commands" : "flags";
  command.exitOverride().showHelpAfterError(`(${name} --help lists the ${lists})`);
  for (const below of command.commands) pointToHelp(below, name);
}

function benchNames(isUsual: boolean): string {
  const chosen = benchSuites.filter((suite) => suite.isUsual === isUsual);
  return chosen.map(({ name }) => name).join(", ");
}

/** Adds the flags of whole groups, or of some settings only. */
function withSettings(
  command: Command,
  ...groups: readonly (SettingFlag["of"] | readonly SettingKey[])[]
): Command {
  for (const group of groups) {
    const all = typeof group === "string" ? settingFlags(group) : settingFlags("shared");
    const wanted = all.filter(({ key }) => typeof group === "string" || group.includes(key));
    for (const { usage, text } of wanted) command.addOption(new Option(usage, text));
  }
  return command;
}

/** What the command line gave for settings, by key. Flags that were not given are absent. */
function flagsOf(command: Command): Flags {
  const flags: Flags = {};
  for (const { key, usage } of [...settingFlags("shared"), ...settingFlags("serve")]) {
    const name = flagNameOf(usage);
    const option = command.options.find((candidate) => candidate.long === `--${name}`);
    if (option === undefined) continue;
    const attribute = option.attributeName();
    if (command.getOptionValueSource(attribute) !== "cli") continue;
    const value: unknown = command.getOptionValue(attribute);
    if (typeof value === "string" || typeof value === "boolean") flags[key] = value;
  }
  return flags;
}
