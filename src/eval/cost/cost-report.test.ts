import { expect, it } from "vitest";
import { type Demand, defaultDemand, type ServerCapacity } from "../../stats/cost.ts";
import { costPrices } from "../../stats/cost-prices.ts";
import { renderMarkdown } from "../report/render-markdown.ts";
import { type CostInputs, costReport } from "./cost-report.ts";

function inputs(options: { demand?: Demand; capacity?: ServerCapacity } = {}): CostInputs {
  const [serverless] = costPrices.serverless;
  const [seat] = costPrices.seats;
  const [gpu] = costPrices.gpus;
  if (serverless === undefined || seat === undefined || gpu === undefined) throw new Error("empty");
  const capacity = options.capacity ?? {
    ...{ kind: "computed", teraflops: gpu.teraflops, utilisation: 0.45, billions: 1.54 },
  };
  const { hardware } = costPrices;
  return {
    demand: options.demand ?? defaultDemand,
    seats: { name: seat.name, offer: { kind: "seats", perMonth: seat.perMonth }, price: seat },
    serverless: {
      name: serverless.name,
      offer: { kind: "serverless", prices: serverless, operations: 0 },
      price: serverless,
    },
    rented: {
      name: gpu.name,
      offer: {
        ...{ kind: "rented", perHour: gpu.perHour, hoursPerMonth: 730, capacity, operations: 0 },
      },
      price: gpu,
    },
    owned: {
      name: "own hardware",
      offer: {
        ...{ kind: "owned", pricePerServer: hardware.pricePerServer, months: hardware.months },
        ...{ watts: gpu.watts, perKilowattHour: hardware.perKilowattHour, hoursPerMonth: 730 },
        ...{ capacity, operations: 0 },
      },
      price: hardware,
    },
    memoryGb: gpu.memoryGb,
  };
}

const text = (options = {}): string =>
  renderMarkdown(costReport(inputs(options)), { pictureOf: () => null });

it("prints the published comparison with its price list", () => {
  const markdown = text();
  for (const line of [
    "| GitHub Copilot Business |       – | $1,900.00 |      $19.00 |",
    "| open model, serverless  |       – |   $115.50 |       $1.16 |",
    "| A10G (g5.xlarge)        |       1 |   $734.38 |       $7.34 |",
    "A10G (g5.xlarge) costs no more than GitHub Copilot Business from 39 developers on.",
    "         = 100 x 1,200 x 22 = 2,640,000",
    "       = 2,112 x 0.05 + 0 x 0.05 + 66 x 0.15 + $0.00 = $115.50",
    "       = 1 x 1.006 x 730 + $0.00 = $734.38",
  ]) {
    expect(markdown).toContain(line);
  }
});

it("counts servers as they were measured", () => {
  const markdown = text({ capacity: { kind: "measured", developersPerServer: 12 } });
  expect(markdown).toContain("One server was measured to carry 12 developers.");
  expect(markdown).toContain("ceil(100 / 12) = 9");
});

it("says when a model does not fit the GPU", () => {
  const capacity: ServerCapacity = {
    ...{ kind: "computed", teraflops: 70, utilisation: 0.45, billions: 14.7 },
  };
  expect(text({ capacity })).toContain("29.4 GB of weights in 16 bits and does not fit");
});

it("makes sums for nobody and for everything cached", () => {
  expect(text({ demand: { ...defaultDemand, developers: 0 } })).toContain("$0.00");
  expect(text({ demand: { ...defaultDemand, cachedShare: 1 } })).not.toMatch(/NaN/);
});

it("dates every price and names its source", () => {
  const { serverless, seats, gpus, hardware } = costPrices;
  for (const price of [...serverless, ...seats, ...gpus, hardware]) {
    expect(price.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(price.source.length).toBeGreaterThan(10);
  }
});
