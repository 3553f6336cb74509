import fc from "fast-check";
import { expect, it } from "vitest";
import {
  breakEven,
  type Demand,
  defaultDemand,
  monthlyCost,
  monthlyLoad,
  type Offer,
  ownedServerCost,
  requestsPerSecond,
  type ServerCapacity,
  serverlessCost,
  serversNeeded,
} from "./cost.ts";

const cents = (dollars: number): string => dollars.toFixed(2);
const small = { inputPerMillion: 0.05, outputPerMillion: 0.15, cachedInputPerMillion: null };
const codestral = { inputPerMillion: 0.3, outputPerMillion: 0.9, cachedInputPerMillion: null };
const a10g = (billions: number): Extract<ServerCapacity, { kind: "computed" }> => ({
  ...{ kind: "computed", teraflops: 70, utilisation: 0.45, billions },
});
const seats: Offer = { kind: "seats", perMonth: 19 };
const serverless: Offer = { kind: "serverless", prices: small, operations: 0 };
const rented = (billions: number, hoursPerMonth = 730): Offer => ({
  ...{ kind: "rented", perHour: 1.006, hoursPerMonth, operations: 0 },
  capacity: a10g(billions),
});

it("costs what the published comparison says, to the cent", () => {
  const load = monthlyLoad(defaultDemand);
  expect(load).toMatchObject({
    requests: 2_640_000,
    modelRequests: 2_640_000,
    inputTokens: 2_112_000_000,
    outputTokens: 66_000_000,
  });
  expect(cents(monthlyCost(serverless, defaultDemand))).toBe("115.50");
  expect(cents(monthlyCost(seats, defaultDemand))).toBe("1900.00");
  expect(cents(monthlyCost(rented(1.54), defaultDemand))).toBe("734.38");
  expect(breakEven(rented(1.54), seats, defaultDemand)).toBe(39);
});

it.each([
  [21, 2_520_000, 2_016, 63, "100.80", "9.45", "110.25"],
  [21.67, 2_600_400, 2_080, 65, "104.02", "9.75", "113.77"],
  [22, 2_640_000, 2_112, 66, "105.60", "9.90", "115.50"],
  [30, 3_600_000, 2_880, 90, "144.00", "13.50", "157.50"],
])("costs by the token in a month of %d working days", (days, requests, input, output, ...sums) => {
  const load = monthlyLoad({ ...defaultDemand, daysPerMonth: days });
  expect(Math.round(load.requests)).toBe(requests);
  expect(Math.round(load.inputTokens / 1e6)).toBe(input);
  expect(Math.round(load.outputTokens / 1e6)).toBe(output);
  const inputOnly = serverlessCost(load, { ...small, outputPerMillion: 0 });
  const outputOnly = serverlessCost(load, { ...small, inputPerMillion: 0 });
  expect([inputOnly, outputOnly, serverlessCost(load, small)].map(cents)).toEqual(sums);
});

it.each([
  [730, "734.38"],
  [720, "724.32"],
  [264, "265.58"],
])("costs for a GPU that runs %d hours", (hours, sum) => {
  expect(cents(monthlyCost(rented(1.54, hours), defaultDemand))).toBe(sum);
});

it("costs by the token with other prices", () => {
  expect(cents(serverlessCost(monthlyLoad(defaultDemand), codestral))).toBe("693.00");
});

it.each([
  [0.49, "40", "134"],
  [1.54, "12.8", "43"],
  [3.09, "6.4", "21"],
  [7.61, "2.6", "8.6"],
  [14.7, "1.3", "4.5"],
])("carries the requests a second of the reference with %d billion parameters", (...row) => {
  const [billions, plain, cached] = row;
  const carried = (cachedShare: number): number =>
    requestsPerSecond(a10g(billions), { inputTokens: 800, cachedShare });
  expect(carried(0).toFixed(plain.includes(".") ? 1 : 0)).toBe(plain);
  expect(carried(0.7).toFixed(cached.includes(".") ? 1 : 0)).toBe(cached);
});

it("needs as many GPUs as the peak asks for", () => {
  const load = monthlyLoad(defaultDemand);
  expect(load.averagePerSecond).toBeCloseTo(4.17, 2);
  expect(load.peakPerSecond).toBeCloseTo(12.5, 6);
  const cached: Demand = { ...defaultDemand, cachedShare: 0.7 };
  expect([0.49, 1.54, 3.09, 7.61].map((size) => serversNeeded(defaultDemand, a10g(size)))).toEqual([
    1, 1, 2, 5,
  ]);
  expect([3.09, 7.61].map((size) => serversNeeded(cached, a10g(size)))).toEqual([1, 2]);
  const measured: ServerCapacity = { kind: "measured", developersPerServer: 40 };
  expect(serversNeeded(defaultDemand, measured)).toBe(3);
});

it("breaks even against tokens only if one GPU could carry everybody", () => {
  const tireless: Offer = {
    ...{ kind: "rented", perHour: 1.006, hoursPerMonth: 730, operations: 0 },
    capacity: { kind: "measured", developersPerServer: 1e9 },
  };
  expect(breakEven(tireless, serverless, defaultDemand)).toBe(636);
  expect(breakEven(rented(1.54), serverless, defaultDemand)).toBe(null);
  // 12 developers pay for one server from 9 on, but 13 need two.
  const dear: Offer = {
    ...{ kind: "rented", perHour: 1, hoursPerMonth: 155, operations: 0 },
    capacity: { kind: "measured", developersPerServer: 12 },
  };
  expect(breakEven(dear, seats, defaultDemand)).toBe(17);
});

it("costs electricity and a share of the price for a machine of one's own", () => {
  const owned: Extract<Offer, { kind: "owned" }> = {
    ...{ kind: "owned", pricePerServer: 3_600, months: 36, watts: 150, perKilowattHour: 0.15 },
    ...{ hoursPerMonth: 730, capacity: a10g(1.54), operations: 0 },
  };
  expect(ownedServerCost({ ...owned, pricePerServer: 0 })).toBeCloseTo(16.425, 6);
  expect(cents(monthlyCost({ ...owned, watts: 160 }, defaultDemand))).toBe("117.52");
  expect(cents(monthlyCost(owned, { ...defaultDemand, developers: 103 }))).toBe("232.85");
});

it("pays the input of what is broken off, and nothing for what a cache answers", () => {
  const half: Demand = { ...defaultDemand, answeredShare: 0.5, cancelledShare: 1 };
  expect(cents(serverlessCost(monthlyLoad(half), small))).toBe("52.80");
  const cheap = { ...small, cachedInputPerMillion: 0.01 };
  const cached = monthlyLoad({ ...defaultDemand, cachedShare: 0.5 });
  expect(cents(serverlessCost(cached, cheap))).toBe("73.26");
});

it("never costs less for more developers", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000 }), (developers) => {
      for (const offer of [seats, serverless, rented(3.09)]) {
        const team = { ...defaultDemand, developers };
        const more = { ...defaultDemand, developers: developers + 1 };
        expect(monthlyCost(offer, more)).toBeGreaterThanOrEqual(monthlyCost(offer, team));
      }
    }),
  );
});
