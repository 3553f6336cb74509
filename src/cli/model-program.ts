/** The commands below `midspan model`. */
import { type Command, Option } from "commander";
import type { SettingFlag } from "../config/schema.ts";
import { engineVariants } from "../host/embedded/engine-platform.ts";
import type { ExitCode } from "./exit.ts";
import type { Flags } from "./flags.ts";

/** How the program treats settings, and where an exit code goes. */
export interface ProgramParts {
  readonly withSettings: (command: Command, ...groups: readonly SettingFlag["of"][]) => Command;
  readonly flagsOf: (command: Command) => Flags;
  readonly end: (code: ExitCode) => void;
}

/** Adds `model` with its commands. */
export function addModelCommands(program: Command, parts: ProgramParts): void {
  const { withSettings, flagsOf, end } = parts;
  const model = program
    .command("model")
    .description("find, fetch and run a model that fills in the middle");

  const list = model
    .command("list")
    .description("the models that can be fetched, and those that are here")
    .option("--json", "print them as JSON");
  list.action(async () => {
    const { modelListCommand } = await import("./model-list.ts");
    end(await modelListCommand({ json: list.opts().json === true, flags: {} }));
  });

  const info = model
    .command("info")
    .description("all that is known of one model")
    .argument("<name>", "a name of midspan model list, or a GGUF file")
    .option("--json", "print it as JSON");
  info.action(async (name: string) => {
    const { modelInfoCommand } = await import("./model-info.ts");
    end(await modelInfoCommand({ name, json: info.opts().json === true, flags: {} }));
  });

  const recommend = model
    .command("recommend")
    .description("which model suits this machine, a team server, the smallest machine")
    .option("--json", "print it as JSON");
  recommend.action(async () => {
    const { modelRecommendCommand } = await import("./model-recommend.ts");
    end(await modelRecommendCommand({ json: recommend.opts().json === true }));
  });

  const pull = model
    .command("pull")
    .description("fetch a model; what a failure left is gone on with")
    .argument("<name>", "a name of midspan model list, or OWNER/REPOSITORY/FILE.gguf")
    .option("--offline", "refuse every connection beyond this machine")
    .option("--json", "print what was fetched as JSON");
  pull.action(async (name: string) => {
    const { modelPullCommand } = await import("./model-pull.ts");
    end(await modelPullCommand({ name, json: pull.opts().json === true, flags: flagsOf(pull) }));
  });

  const run = model
    .command("run")
    .description("start a llama-server with a model, and serve with it until Ctrl+C")
    .argument("<name>", "a GGUF file, or a name of midspan model list")
    .argument("[dir]", "workspace; the nearest folder with .git, else the current one");
  withSettings(run, "shared", "serve").action(async (name: string, dir: string | undefined) => {
    const { modelRunCommand } = await import("./model-run.ts");
    end(await modelRunCommand({ name, dir: dir ?? null, flags: flagsOf(run) }));
  });

  addEngineCommands(model, parts);
  for (const command of model.commands) command.exitOverride();
}

/** Adds `model engine` with its commands. */
function addEngineCommands(model: Command, { flagsOf, end }: ProgramParts): void {
  const engine = model
    .command("engine")
    .description("the engine that runs a model where there is no llama-server");

  const install = engine
    .command("install")
    .description("fetch it with npm, 84 MB on most machines")
    .addOption(
      new Option("--variant <kind>", "what it computes with besides the processor")
        .choices(engineVariants)
        .default("cpu"),
    )
    .option("--offline", "refuse every connection beyond this machine");
  install.action(async () => {
    const { engineInstallCommand } = await import("./model-engine.ts");
    const { variant } = install.opts();
    end(await engineInstallCommand({ variant, flags: flagsOf(install) }));
  });

  const status = engine
    .command("status")
    .description("what is installed, and whether it works")
    .option("--json", "print it as JSON");
  status.action(async () => {
    const { engineStatusCommand } = await import("./model-engine.ts");
    end(await engineStatusCommand({ json: status.opts().json === true }));
  });

  engine
    .command("remove")
    .description("remove it")
    .action(async () => {
      const { engineRemoveCommand } = await import("./model-engine.ts");
      end(await engineRemoveCommand());
    });

  for (const command of engine.commands) command.exitOverride();
}
