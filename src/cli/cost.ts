/** `midspan cost`: from flags and the price list to the report. */
import { costReport } from "../eval/cost/cost-report.ts";
import type { ServerCapacity } from "../stats/cost.ts";
import { costPrices, type PriceSource } from "../stats/cost-prices.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import { emitReport, type ReportOutput } from "./report-options.ts";

/** What the flags say, checked when they were read; those without a default may be missing. */
export interface CostFlags {
  readonly developers: number;
  readonly requestsPerDay: number;
  readonly days: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly answered: number;
  readonly cancelled: number;
  readonly prefetch: number;
  readonly cached: number;
  readonly hoursPerDay: number;
  readonly peak: number;
  readonly serverless: string;
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly cachedPrice?: number;
  readonly seat: string;
  readonly seatPrice?: number;
  readonly gpu: string;
  readonly gpuPrice?: number;
  readonly gpuHours: number;
  readonly gpuTeraflops?: number;
  readonly gpuUtilisation: number;
  readonly parameters: number;
  readonly developersPerServer?: number;
  readonly hardwarePrice: number;
  readonly hardwareMonths: number;
  readonly watts?: number;
  readonly electricity: number;
  readonly operations: number;
}

/** A price of the command line. */
const given: PriceSource = { date: "given", source: "by the command line", isChecked: true };

/** Prints the comparison. Throws `UsageError` for inputs that make no sum. */
export async function costCommand(flags: CostFlags, output: ReportOutput): Promise<ExitCode> {
  const positive = ["hoursPerDay", "days", "hardwareMonths", "inputTokens", "parameters"] as const;
  for (const key of positive) {
    if (flags[key] === 0) throw new UsageError(`--${dashed(key)} must be more than 0`);
  }
  if (!Number.isInteger(flags.developers)) throw new UsageError("--developers is a whole number");
  if (flags.developersPerServer === 0) {
    throw new UsageError("--developers-per-server must be more than 0");
  }
  const serverless = named(costPrices.serverless, flags.serverless);
  const seat = named(costPrices.seats, flags.seat);
  const gpu = named(costPrices.gpus, flags.gpu);
  const { hardware } = costPrices;
  const { operations, gpuHours: hoursPerMonth } = flags;
  const teraflops = flags.gpuTeraflops ?? gpu.teraflops;
  if (teraflops === 0 || flags.gpuUtilisation === 0) {
    throw new UsageError("a GPU that computes nothing carries nobody");
  }
  const capacity: ServerCapacity =
    flags.developersPerServer === undefined
      ? {
          ...{ kind: "computed", teraflops, utilisation: flags.gpuUtilisation },
          billions: flags.parameters,
        }
      : { kind: "measured", developersPerServer: flags.developersPerServer };
  const isOwnPrice = flags.inputPrice !== undefined || flags.outputPrice !== undefined;
  const report = costReport({
    demand: {
      developers: flags.developers,
      requestsPerDay: flags.requestsPerDay,
      daysPerMonth: flags.days,
      inputTokens: flags.inputTokens,
      outputTokens: flags.outputTokens,
      answeredShare: flags.answered,
      cancelledShare: flags.cancelled,
      prefetchShare: flags.prefetch,
      cachedShare: flags.cached,
      hoursPerDay: flags.hoursPerDay,
      peakFactor: flags.peak,
    },
    seats: {
      name: flags.seatPrice === undefined ? seat.name : "seats",
      offer: { kind: "seats", perMonth: flags.seatPrice ?? seat.perMonth },
      price: flags.seatPrice === undefined ? seat : given,
    },
    serverless: {
      name: isOwnPrice ? "serverless" : serverless.name,
      offer: {
        kind: "serverless",
        prices: {
          inputPerMillion: flags.inputPrice ?? serverless.inputPerMillion,
          outputPerMillion: flags.outputPrice ?? serverless.outputPerMillion,
          cachedInputPerMillion: flags.cachedPrice ?? serverless.cachedInputPerMillion,
        },
        operations: 0,
      },
      price: isOwnPrice ? given : serverless,
    },
    rented: {
      name: `rented ${gpu.name}`,
      offer: {
        ...{ kind: "rented", perHour: flags.gpuPrice ?? gpu.perHour, hoursPerMonth },
        ...{ capacity, operations },
      },
      price: flags.gpuPrice === undefined ? gpu : given,
    },
    owned: {
      name: "own hardware",
      offer: {
        ...{ kind: "owned", pricePerServer: flags.hardwarePrice, months: flags.hardwareMonths },
        ...{ watts: flags.watts ?? gpu.watts, perKilowattHour: flags.electricity },
        ...{ hoursPerMonth, capacity, operations },
      },
      price: flags.hardwarePrice === hardware.pricePerServer ? hardware : given,
    },
    memoryGb: gpu.memoryGb,
  });
  await emitReport(report, { ...output, name: "cost" });
  return 0;
}

function named<Row extends { readonly id: string }>(rows: readonly Row[], id: string): Row {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw new UsageError(`there is no price list entry ${JSON.stringify(id)}`);
  return row;
}

function dashed(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
