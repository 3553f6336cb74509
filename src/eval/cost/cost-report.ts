/** `midspan cost`: the sums with their formulas, as a report. */
import {
  breakEven,
  type Demand,
  type MonthlyLoad,
  monthlyCost,
  monthlyLoad,
  type Offer,
  ownedServerCost,
  requestsPerSecond,
  type ServerCapacity,
  serversNeeded,
} from "../../stats/cost.ts";
import { costPrices, type PriceSource } from "../../stats/cost-prices.ts";
import { formatBare } from "../report/format-value.ts";
import {
  exactly,
  numberColumn,
  paragraph,
  type Report,
  type ReportBlock,
  type ReportTable,
  textColumn,
} from "../report/report.ts";

/** One way to get completions, with its name and where its price comes from. */
export interface PricedOffer {
  readonly name: string;
  readonly offer: Offer;
  readonly price: PriceSource;
}

export interface CostInputs {
  readonly demand: Demand;
  readonly seats: PricedOffer;
  readonly serverless: PricedOffer;
  readonly rented: PricedOffer;
  readonly owned: PricedOffer;
  /** Of the GPU; the model must fit. */
  readonly memoryGb: number;
}

/** Weights in 16 bits. */
const BYTES_PER_PARAMETER = 2;
const TEAMS = [5, 10, 20, 50, 100, 200, 500, 1_000];

/** The comparison. */
export function costReport(inputs: CostInputs): Report {
  const { demand, seats, serverless, rented, owned } = inputs;
  const offers = [seats, serverless, rented, owned];
  const load = monthlyLoad(demand);
  const sums = offers.map(({ offer }) => monthlyCost(offer, demand));
  const least = offers[sums.indexOf(Math.min(...sums))] ?? seats;
  return {
    title: "What completion costs in a month",
    lead: `${count(demand.developers)} developers: ${least.name} costs least, ${dollars(Math.min(...sums))} a month.`,
    stamps: [
      { name: "demand", value: demandLine(demand) },
      ...offers.map(({ name, price }) => ({
        name,
        value: `${price.date}, ${price.source}${price.isChecked ? "" : " (not checked)"}`,
      })),
    ],
    sections: [
      {
        title: "Compared",
        blocks: [
          {
            kind: "table",
            caption: "",
            columns: [
              textColumn("way"),
              numberColumn("servers", "count"),
              numberColumn("a month", "usd"),
              numberColumn("a developer", "usd"),
            ],
            rows: offers.map(({ name, offer }, i) => [
              name,
              "capacity" in offer ? serversNeeded(demand, offer.capacity) : null,
              sums[i] ?? Number.NaN,
              demand.developers === 0 ? null : (sums[i] ?? Number.NaN) / demand.developers,
            ]),
          },
          paragraph(
            "A seat pays for chat and agents too; the other ways pay for completions alone.",
          ),
          {
            kind: "line",
            title: "Cost of a month over the size of the team",
            x: { title: "developers", unit: "count", scale: "log" },
            y: { title: "a month", unit: "usd", scale: "log" },
            guide: null,
            series: offers.map(({ name, offer }) => ({
              name,
              points: TEAMS.map((developers) => ({
                x: developers,
                y: exactly(monthlyCost(offer, { ...demand, developers })),
              })),
            })),
          },
          ...breakEvens(inputs),
        ],
      },
      { title: "What a GPU carries", blocks: capacityBlocks(inputs, load) },
      { title: "Formulas", blocks: [{ kind: "listing", lines: formulas(inputs, load) }] },
    ],
    checks: [],
  };
}

function breakEvens({ demand, seats, serverless, rented, owned }: CostInputs): ReportBlock[] {
  const pairs: readonly (readonly [PricedOffer, PricedOffer])[] = [
    [rented, seats],
    [owned, seats],
    [rented, serverless],
    [owned, serverless],
  ];
  return pairs.map(([cheaper, dearer]) => {
    const developers = breakEven(cheaper.offer, dearer.offer, demand);
    return paragraph(
      developers === null
        ? `${capitalised(cheaper.name)} never costs less than ${dearer.name}, up to 10,000 developers.`
        : `${capitalised(cheaper.name)} costs no more than ${dearer.name} from ${count(developers)} developers on.`,
    );
  });
}

function capacityBlocks(inputs: CostInputs, load: MonthlyLoad): readonly ReportBlock[] {
  const { demand, rented, memoryGb } = inputs;
  if (rented.offer.kind !== "rented") return [];
  const { capacity } = rented.offer;
  const peak = `At the peak ${number(load.peakPerSecond)} requests reach the model each second.`;
  if (capacity.kind === "measured") {
    const { developersPerServer } = capacity;
    return [
      paragraph(`${peak} One server was measured to carry ${developersPerServer} developers.`),
    ];
  }
  const sizes: ReportTable = {
    kind: "table",
    caption: `On one ${rented.name}, by the size of the model; without a prefix cache, and with ${formatBare(demand.cachedShare, "share")} % and 70 % of the input cached.`,
    columns: [
      textColumn("model"),
      numberColumn("weights", "GB"),
      numberColumn("no cache", "requests/s"),
      numberColumn("as given", "requests/s"),
      numberColumn("70 % cached", "requests/s"),
      numberColumn("GPUs as given", "count"),
    ],
    rows: costPrices.models.map(({ name, billions }) => {
      const one = { ...capacity, billions };
      const weightsGb = billions * BYTES_PER_PARAMETER;
      const carried = (cachedShare: number): number =>
        requestsPerSecond(one, { ...demand, cachedShare });
      const isTooLarge = weightsGb > memoryGb;
      return [
        name,
        weightsGb,
        carried(0),
        carried(demand.cachedShare),
        carried(0.7),
        isTooLarge ? `does not fit ${memoryGb} GB` : serversNeeded(demand, one),
      ];
    }),
  };
  const weightsGb = capacity.billions * BYTES_PER_PARAMETER;
  const warning =
    weightsGb > memoryGb
      ? [paragraph(`The model has ${number(weightsGb)} GB of weights in 16 bits and does not fit.`)]
      : [];
  const own = paragraph(
    "The rates follow from a data sheet. Measure your own with midspan bench capacity and give them with --developers-per-server.",
  );
  return [paragraph(peak), ...warning, sizes, own];
}

/** Every sum with its numbers filled in. */
function formulas(inputs: CostInputs, load: MonthlyLoad): readonly string[] {
  const { demand, seats, serverless, rented, owned } = inputs;
  const d = demand;
  const lines = [
    "requests = developers x requests a day x days",
    `         = ${count(d.developers)} x ${count(d.requestsPerDay)} x ${d.daysPerMonth} = ${count(load.requests)}`,
    "to the model = requests x (1 - answered) x (1 + asked ahead)",
    `         = ${count(load.requests)} x ${number(1 - d.answeredShare)} x ${number(1 + d.prefetchShare)} = ${count(load.modelRequests)}`,
    `input    = to the model x ${count(d.inputTokens)} = ${count(load.inputTokens)} tokens, ${count(load.cachedTokens)} of them cached`,
    `output   = to the model x (1 - broken off) x ${count(d.outputTokens)} = ${count(load.outputTokens)} tokens`,
    "peak     = to the model / (days x hours x 3,600 s) x peak factor",
    `         = ${count(load.modelRequests)} / (${d.daysPerMonth} x ${d.hoursPerDay} x 3,600) x ${d.peakFactor} = ${number(load.peakPerSecond)} requests/s`,
    "",
  ];
  for (const { name, offer } of [seats, serverless, rented, owned]) {
    lines.push(name, ...offerFormula(offer, demand, load).map((line) => `  ${line}`), "");
  }
  return lines.slice(0, -1);
}

function offerFormula(offer: Offer, demand: Demand, load: MonthlyLoad): readonly string[] {
  const sum = dollars(monthlyCost(offer, demand));
  switch (offer.kind) {
    case "seats":
      return [
        "cost = developers x seat",
        `     = ${count(demand.developers)} x ${dollars(offer.perMonth)} = ${sum}`,
      ];
    case "serverless": {
      const { inputPerMillion, outputPerMillion, cachedInputPerMillion } = offer.prices;
      const million = (tokens: number): string => number(tokens / 1e6);
      return [
        "cost = (fresh input x its price + cached input x its price + output x its price) / 1 M + operations",
        `     = ${million(load.inputTokens - load.cachedTokens)} x ${inputPerMillion} + ` +
          `${million(load.cachedTokens)} x ${cachedInputPerMillion ?? inputPerMillion} + ` +
          `${million(load.outputTokens)} x ${outputPerMillion} + ${dollars(offer.operations)} = ${sum}`,
      ];
    }
    case "rented":
      return [
        ...serverFormula(demand, offer.capacity, load),
        "cost = servers x price of an hour x hours + operations",
        `     = ${serversNeeded(demand, offer.capacity)} x ${offer.perHour} x ${offer.hoursPerMonth} + ${dollars(offer.operations)} = ${sum}`,
      ];
    case "owned":
      return [
        ...serverFormula(demand, offer.capacity, load),
        "cost = servers x (price / months + kW x hours x price of a kWh) + operations",
        `     = ${serversNeeded(demand, offer.capacity)} x (${offer.pricePerServer} / ${offer.months} + ` +
          `${offer.watts / 1_000} x ${offer.hoursPerMonth} x ${offer.perKilowattHour} = ${dollars(ownedServerCost(offer))}) + ` +
          `${dollars(offer.operations)} = ${sum}`,
      ];
  }
}

function serverFormula(
  demand: Demand,
  capacity: ServerCapacity,
  load: MonthlyLoad,
): readonly string[] {
  const servers = serversNeeded(demand, capacity);
  if (capacity.kind === "measured") {
    const { developersPerServer } = capacity;
    return [
      `servers = ceil(developers / developers per server) = ceil(${count(demand.developers)} / ${developersPerServer}) = ${servers}`,
    ];
  }
  const { teraflops, utilisation, billions } = capacity;
  const rate = requestsPerSecond(capacity, demand);
  return [
    "a GPU carries = FLOP/s x reached share / (2 x parameters x fresh input tokens)",
    `              = ${teraflops} T x ${utilisation} / (2 x ${billions} G x ${number(demand.inputTokens * (1 - demand.cachedShare))}) = ${number(rate)} requests/s`,
    `servers = ceil(peak / that) = ceil(${number(load.peakPerSecond)} / ${number(rate)}) = ${servers}`,
  ];
}

function demandLine(demand: Demand): string {
  const share = (value: number): string => `${formatBare(value, "share")} %`;
  return (
    `${count(demand.developers)} developers x ${count(demand.requestsPerDay)} requests x ${demand.daysPerMonth} days; ` +
    `${count(demand.inputTokens)} tokens in, ${count(demand.outputTokens)} out; answered without a model ${share(demand.answeredShare)}, ` +
    `asked ahead ${share(demand.prefetchShare)}, broken off ${share(demand.cancelledShare)}, input cached ${share(demand.cachedShare)}; ` +
    `${demand.hoursPerDay} hours a day, peak ${demand.peakFactor} times the average`
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function count(value: number): string {
  return formatBare(value, "count");
}

function dollars(value: number): string {
  return formatBare(value, "usd");
}

/** At most two digits after the point. */
function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}
