/** `midspan replay`. */
import { Command, CommanderError } from "commander";
import type { Pace } from "../eval/replay/paced-backend.ts";
import type { StandIn } from "../eval/replay/stand-in-backend.ts";
import { UsageError } from "./exit.ts";
import type { ProgramParts } from "./model-program.ts";
import { positiveInteger } from "./number-flags.ts";
import { outputFile } from "./output-place.ts";
import type { ReplayConfiguration } from "./replay.ts";
import { reportOutputOf, withReportOptions } from "./report-options.ts";

/** Adds `replay`. */
export function addReplayCommand(program: Command, parts: ProgramParts): void {
  const { withSettings, flagsOf, end } = parts;
  const replay = program
    .command("replay")
    .description("type key by key with a simulated person, and count what it costs and brings")
    .argument("[dir]", "workspace; the nearest folder with .git, else the current one")
    .option("--edits <file>", "type these recorded edits instead of held-out files")
    .option("--sessions <n>", "held-out files, a stretch of each", positiveInteger, 20)
    .option("--characters <n>", "length of a stretch", positiveInteger, 400)
    .option("--compare <flags>", "the same keys in another configuration, side by side")
    .option(...standInOption)
    .option(...modelTimeOption)
    .option(...everyKeyOption)
    .option("--seed <n>", "other files and another person", positiveInteger, 1)
    .option("--minutes <n>", "stop after this time", positiveInteger)
    .option("--answers <file>", "keep the sessions here; the same command goes on with them")
    .option("--restart", "forget the sessions that are kept");
  withReportOptions(replay);
  withSettings(replay, "shared").action(async (dir: string | undefined) => {
    const { replayCommand } = await import("./replay.ts");
    const { edits, sessions, characters, compare, seed, minutes, answers, restart } = replay.opts();
    const { standIn, modelTime, everyKey } = replay.opts();
    const first = {
      name: "as given",
      flags: flagsOf(replay),
      standIn: parseStandIn(standIn),
      pace: parsePace(modelTime),
      asksEveryKey: everyKey === true,
    };
    const second = compare === undefined ? [] : [comparedConfiguration(compare, first, parts)];
    end(
      await replayCommand({
        dir: dir ?? null,
        configurations: [first, ...second],
        edits: edits ?? null,
        sessions,
        units: characters,
        seed,
        minutes: minutes ?? null,
        answers: outputFile("--answers", answers ?? null),
        restart: restart === true,
        output: reportOutputOf(replay),
      }),
    );
  });
}

const standInOption = [
  "--stand-in <ms[:share]>",
  "in place of a model: answers after so many ms, rightly at this share of places (0.5)",
] as const;

const modelTimeOption = [
  "--model-time <ms[:ms]>",
  "count so many ms to a model's first text, and for each token after it (0), whatever it takes",
] as const;

const everyKeyOption = [
  "--every-key",
  "ask the model on every key, at once and anew: without waits, rules and what is known already",
] as const;

/** The flags of the command, with those of `--compare` in their place. */
function comparedConfiguration(
  text: string,
  first: ReplayConfiguration,
  { withSettings, flagsOf }: ProgramParts,
): ReplayConfiguration {
  const options = new Command("--compare")
    .option(...standInOption)
    .option(...modelTimeOption)
    .option(...everyKeyOption);
  const command = withSettings(options, "shared")
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    command.parse(wordsOf(text), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(`--compare ${JSON.stringify(text)}: ${error.message}`);
  }
  const flags = { ...first.flags, ...flagsOf(command) };
  const { standIn, modelTime, everyKey } = command.opts();
  const namesModel = flagsOf(command).backend !== undefined;
  const kept = namesModel ? null : first.standIn;
  return {
    name: text,
    flags,
    standIn: standIn === undefined ? kept : parseStandIn(standIn),
    pace: modelTime === undefined ? first.pace : parsePace(modelTime),
    asksEveryKey: everyKey === true,
  };
}

/** Words as a shell would make them; quotes of both kinds group. */
function wordsOf(text: string): readonly string[] {
  const words = text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

function parsePace(text: unknown): Pace | null {
  if (typeof text !== "string") return null;
  const times = text.split(":").map((word) => (word === "" ? Number.NaN : Number(word)));
  const [ttftMs = Number.NaN, perTokenMs = 0, ...more] = times;
  if (ttftMs >= 0 && perTokenMs >= 0 && more.length === 0) return { ttftMs, perTokenMs };
  throw new UsageError(`--model-time ${text} is not one or two times in ms, as in 150 or 150:12`);
}

function parseStandIn(text: unknown): StandIn | null {
  if (typeof text !== "string") return null;
  const [ms, share = "0.5"] = text.split(":");
  const standIn = { ttftMs: Number(ms), rightShare: Number(share) };
  const isValid = standIn.ttftMs >= 0 && 0 <= standIn.rightShare && standIn.rightShare <= 1;
  if (isValid && ms !== "") return standIn;
  throw new UsageError(
    `--stand-in ${text} is not a time in ms and a share from 0 to 1, as in 60:0.5`,
  );
}
