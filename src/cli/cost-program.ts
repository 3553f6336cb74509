/** `midspan cost` and its flags: every input of the sums can be given. */
import { type Command, Option } from "commander";
import { defaultDemand } from "../stats/cost.ts";
import { costPrices } from "../stats/cost-prices.ts";
import type { ProgramParts } from "./model-program.ts";
import { nonNegativeNumber, share } from "./number-flags.ts";
import { reportOutputOf, withReportOptions } from "./report-options.ts";

/** Adds `cost`. */
export function addCostCommand(program: Command, { end }: Pick<ProgramParts, "end">): void {
  const cost = program
    .command("cost")
    .description("what completion costs a team in a month: seats, tokens, GPUs, own machines");
  const { hardware } = costPrices;
  const gpu = costPrices.gpus[0];
  const add = (usage: string, text: string, value: number | null = null): void => {
    const option = new Option(usage, text).argParser(nonNegativeNumber);
    cost.addOption(value === null ? option : option.default(value));
  };
  const addShare = (usage: string, text: string, value: number): void => {
    cost.addOption(new Option(usage, text).argParser(share).default(value));
  };
  const d = defaultDemand;
  add("--developers <n>", "developers", d.developers);
  add("--requests-per-day <n>", "requests of one developer on a working day", d.requestsPerDay);
  add("--days <n>", "working days of a month", d.daysPerMonth);
  add("--input-tokens <n>", "tokens of a prompt", d.inputTokens);
  add("--output-tokens <n>", "tokens of an answer", d.outputTokens);
  addShare("--answered <0..1>", "requests that need no language model", d.answeredShare);
  addShare("--cancelled <0..1>", "requests that are broken off", d.cancelledShare);
  addShare("--prefetch <0..1>", "requests asked ahead, per request", d.prefetchShare);
  addShare("--cached <0..1>", "input tokens in the prefix cache", d.cachedShare);
  add("--hours-per-day <n>", "working hours of a day", d.hoursPerDay);
  add("--peak <n>", "load of the busiest minutes over the average", d.peakFactor);
  cost.addOption(choice("--serverless <id>", "prices by the token", costPrices.serverless));
  add("--input-price <dollars>", "of a million tokens, in place of --serverless");
  add("--output-price <dollars>", "of a million tokens, in place of --serverless");
  add("--cached-price <dollars>", "of a million cached tokens; as other input without it");
  cost.addOption(choice("--seat <id>", "price of a seat", costPrices.seats));
  add("--seat-price <dollars>", "of a developer and month, in place of --seat");
  cost.addOption(choice("--gpu <id>", "the GPU", costPrices.gpus));
  add("--gpu-price <dollars>", "of an hour, in place of --gpu");
  add("--gpu-hours <n>", "hours of a month that it runs", 730);
  add("--gpu-teraflops <n>", "dense, by the data sheet, in place of --gpu");
  addShare("--gpu-utilisation <0..1>", "share of that which is reached", 0.45);
  add("--parameters <billions>", "size of the model", 1.54);
  add("--developers-per-server <n>", "as measured by midspan bench capacity");
  add("--hardware-price <dollars>", "of a machine of your own", hardware.pricePerServer);
  add("--hardware-months <n>", "over which it is written off", hardware.months);
  add("--watts <n>", `of it; ${gpu?.watts ?? 150} with the first GPU`);
  add("--electricity <dollars>", "of a kilowatt-hour", hardware.perKilowattHour);
  add("--operations <dollars>", "a month for people who keep servers running", 0);
  withReportOptions(cost).action(async () => {
    const { costCommand } = await import("./cost.ts");
    end(await costCommand(cost.opts(), reportOutputOf(cost)));
  });
}

function choice(usage: string, text: string, rows: readonly { readonly id: string }[]): Option {
  const ids = rows.map(({ id }) => id);
  return new Option(usage, text).choices(ids).default(ids[0]);
}
