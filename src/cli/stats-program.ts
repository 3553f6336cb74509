/** The commands `stats` and `adapt`. */
import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode } from "./exit.ts";

/** Adds them to the program; `end` takes the exit code. */
export function addStatsCommands(program: Command, end: (code: ExitCode) => void): void {
  const stats = program
    .command("stats")
    .description("say what became of what was shown: acceptance and what keeps it honest")
    .option("--days <n>", "look back this many days", dayCount, 30)
    .option("--json", "print the figures as JSON")
    .option("--clear", "remove all notes instead");
  stats.action(async () => {
    const { clearStatsCommand, statsCommand } = await import("./stats.ts");
    const { days, json, clear } = stats.opts();
    end(await (clear === true ? clearStatsCommand() : statsCommand({ days, json: json === true })));
  });

  const adapt = program
    .command("adapt")
    .description("say what the show rule learned from what you took and refused")
    .option("--json", "print it as JSON")
    .option("--reset", "forget it and begin anew");
  adapt.action(async () => {
    const { adaptCommand, resetAdaptCommand } = await import("./adapt.ts");
    const { json, reset } = adapt.opts();
    end(await (reset === true ? resetAdaptCommand() : adaptCommand({ json: json === true })));
  });
}

function dayCount(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && 1 <= days && days <= 3650) return days;
  throw new InvalidArgumentError("It is not a number of days (1..3650).");
}
