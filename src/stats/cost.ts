/**
 * What completion costs a team in a month, in dollars: seats, tokens, rented GPUs, own machines. The
 * usual tables price one GPU and forget to ask whether it can carry the hour in which everybody
 * types, so the number of GPUs is part of the sum here.
 *
 * The load model: completions are prompts with short answers, so evaluating the prompt dominates. A
 * token costs 2 floating-point operations per parameter, of which a GPU reaches a share (MFU) of its
 * data sheet; answers are generated in batches beside that and are not counted.
 */

/** How much is asked. Shares are 0..1. */
export interface Demand {
  readonly developers: number;
  /** Of one developer on a working day. */
  readonly requestsPerDay: number;
  readonly daysPerMonth: number;
  /** Of one request. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Requests that a cache or the local model answers: no language model is asked. */
  readonly answeredShare: number;
  /** Requests to the language model that are broken off: their input is paid, their output is not. */
  readonly cancelledShare: number;
  /** Requests asked ahead per request, on top: 0 for none. */
  readonly prefetchShare: number;
  /** Input tokens that are in the prefix cache. */
  readonly cachedShare: number;
  readonly hoursPerDay: number;
  /** Load of the busiest minutes over the average of the working hours. */
  readonly peakFactor: number;
}

/** The demand of the published comparison. */
export const defaultDemand: Demand = {
  developers: 100,
  requestsPerDay: 1_200,
  daysPerMonth: 22,
  inputTokens: 800,
  outputTokens: 25,
  answeredShare: 0,
  cancelledShare: 0,
  prefetchShare: 0,
  cachedShare: 0,
  hoursPerDay: 8,
  peakFactor: 3,
};

/** Prices per million tokens; `null`: cached tokens cost as much as others. */
export interface TokenPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cachedInputPerMillion: number | null;
}

/** What reaches the language model in a month. */
export interface MonthlyLoad {
  /** Of the developers, before anything is answered without a model. */
  readonly requests: number;
  readonly modelRequests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly averagePerSecond: number;
  readonly peakPerSecond: number;
}

/** The load of a month; the rates are those of the working hours. */
export function monthlyLoad(demand: Demand): MonthlyLoad {
  const { developers, requestsPerDay, daysPerMonth, hoursPerDay, peakFactor } = demand;
  const requests = developers * requestsPerDay * daysPerMonth;
  const reaching = (1 - demand.answeredShare) * (1 + demand.prefetchShare);
  const modelRequests = requests * reaching;
  const inputTokens = modelRequests * demand.inputTokens;
  const averagePerSecond = (developers * requestsPerDay * reaching) / (hoursPerDay * 3_600);
  return {
    requests,
    modelRequests,
    inputTokens,
    cachedTokens: inputTokens * demand.cachedShare,
    outputTokens: modelRequests * (1 - demand.cancelledShare) * demand.outputTokens,
    averagePerSecond,
    peakPerSecond: averagePerSecond * peakFactor,
  };
}

/** Dollars a month for tokens. */
export function serverlessCost(load: MonthlyLoad, prices: TokenPrices): number {
  const { inputPerMillion, outputPerMillion } = prices;
  const cachedPerMillion = prices.cachedInputPerMillion ?? inputPerMillion;
  const dearTokens = load.inputTokens - load.cachedTokens;
  const perMillion =
    dearTokens * inputPerMillion +
    load.cachedTokens * cachedPerMillion +
    load.outputTokens * outputPerMillion;
  return perMillion / 1e6;
}

/** How much one server carries: by the load model, or as `bench capacity` measured it. */
export type ServerCapacity =
  | {
      readonly kind: "computed";
      /** Data sheet, dense, in the number format that the model runs in. */
      readonly teraflops: number;
      /** Share of the data sheet that is reached, 0..1. */
      readonly utilisation: number;
      /** Parameters of the model. */
      readonly billions: number;
    }
  | { readonly kind: "measured"; readonly developersPerServer: number };

/** Requests a second that one GPU carries by the load model. Infinite when all input is cached. */
export function requestsPerSecond(
  capacity: Extract<ServerCapacity, { kind: "computed" }>,
  demand: Pick<Demand, "inputTokens" | "cachedShare">,
): number {
  const tokens = demand.inputTokens * (1 - demand.cachedShare);
  const operations = 2 * capacity.billions * 1e9 * tokens;
  return (capacity.teraflops * 1e12 * capacity.utilisation) / operations;
}

/** GPUs or servers that the peak needs, at least one as long as there is a developer. */
export function serversNeeded(demand: Demand, capacity: ServerCapacity): number {
  if (demand.developers === 0) return 0;
  const wanted =
    capacity.kind === "measured"
      ? demand.developers / capacity.developersPerServer
      : monthlyLoad(demand).peakPerSecond / requestsPerSecond(capacity, demand);
  // A quotient that is whole but for the dust of floating point must not cost another server.
  return Math.max(1, Math.ceil(wanted - 1e-9));
}

/** A way to get completions, with its prices. */
export type Offer =
  | { readonly kind: "seats"; readonly perMonth: number }
  | { readonly kind: "serverless"; readonly prices: TokenPrices; readonly operations: number }
  | {
      readonly kind: "rented";
      readonly perHour: number;
      /** Hours a month that a GPU runs: 730 for always. */
      readonly hoursPerMonth: number;
      readonly capacity: ServerCapacity;
      /** Dollars a month for people who keep it running. */
      readonly operations: number;
    }
  | {
      readonly kind: "owned";
      readonly pricePerServer: number;
      /** Over which it is written off. */
      readonly months: number;
      readonly watts: number;
      readonly perKilowattHour: number;
      readonly hoursPerMonth: number;
      readonly capacity: ServerCapacity;
      readonly operations: number;
    };

/** Dollars a month, unrounded. */
export function monthlyCost(offer: Offer, demand: Demand): number {
  switch (offer.kind) {
    case "seats":
      return demand.developers * offer.perMonth;
    case "serverless":
      return serverlessCost(monthlyLoad(demand), offer.prices) + offer.operations;
    case "rented":
      return (
        serversNeeded(demand, offer.capacity) * offer.perHour * offer.hoursPerMonth +
        offer.operations
      );
    case "owned":
      return serversNeeded(demand, offer.capacity) * ownedServerCost(offer) + offer.operations;
  }
}

/** Dollars a month of one machine of one's own: its share of the price, and electricity. */
export function ownedServerCost(offer: Extract<Offer, { kind: "owned" }>): number {
  const { pricePerServer, months, watts, perKilowattHour, hoursPerMonth } = offer;
  return pricePerServer / months + (watts / 1_000) * hoursPerMonth * perKilowattHour;
}

/** More developers than any team has. */
const MOST_DEVELOPERS = 10_000;

/**
 * The least number of developers from which on `cheaper` always costs no more than `dearer`; servers
 * come one at a time, so it may do so for a smaller team too. `null` when there is none up to 10,000.
 */
export function breakEven(cheaper: Offer, dearer: Offer, demand: Demand): number | null {
  for (let developers = MOST_DEVELOPERS; developers > 0; developers--) {
    const team = { ...demand, developers };
    if (monthlyCost(cheaper, team) <= monthlyCost(dearer, team)) continue;
    return developers === MOST_DEVELOPERS ? null : developers + 1;
  }
  return 1;
}
