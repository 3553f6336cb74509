import { expect, it } from "vitest";
import { shareInterval } from "./share-interval.ts";

// Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("has the published interval of %i of %i", (successes, sample, low, high) => {
  const interval = shareInterval(successes, sample);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});
