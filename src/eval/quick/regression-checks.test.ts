import { expect, it } from "vitest";
import { FakeBackend } from "../../testing/fake-backend.ts";
import { isReached } from "../bench-report.ts";
import { countNewTokens } from "./new-token-counter.ts";
import { baselineOf, changedPackages, regressionChecks } from "./regression-checks.ts";

const figures = {
  exactMatch: 0.3,
  calibrationError: 0.05,
  newTokensPerKey: 10,
  requestsPerShown: 2,
  keystrokesSaved: 0.4,
};

it("records figures with their noise, and names the packages that changed since", () => {
  const baseline = baselineOf(figures, { a: "1.0.0", b: "2.0.0" });
  expect(baseline.figures).toEqual({
    exactMatch: { value: 0.3, noise: 0.005 },
    calibrationError: { value: 0.05, noise: 0.005 },
    newTokensPerKey: { value: 10, noise: 0.2 },
    requestsPerShown: { value: 2, noise: 0.04 },
    keystrokesSaved: { value: 0.4, noise: 0.005 },
  });
  expect(changedPackages({ a: "1.0.0", b: "2.0.0" }, baseline)).toEqual([]);
  expect(changedPackages({ a: "1.0.1", c: "3.0.0" }, baseline)).toEqual([
    "a is 1.0.1, recorded was 1.0.0",
    "b is gone, recorded was 2.0.0",
    "c is 3.0.0, recorded was none",
  ]);
});

it("fails what is worse by more than the noise, to its worse side only", () => {
  const noisy = (value: number, noise: number) => ({ value, noise });
  const baseline = {
    packages: {},
    figures: {
      exactMatch: noisy(0.3, 0.02),
      calibrationError: noisy(0.05, 0.01),
      newTokensPerKey: noisy(10, 1),
      requestsPerShown: noisy(2, 0.1),
      keystrokesSaved: noisy(0.4, 0.005),
    },
  };
  const missed = (now: typeof figures): readonly string[] =>
    regressionChecks(now, baseline)
      .filter((check) => !isReached(check))
      .map(({ name }) => name);
  expect(missed(figures)).toEqual([]);
  expect(missed({ ...figures, exactMatch: 0.281, newTokensPerKey: 10.9 })).toEqual([]);
  expect(
    missed({
      exactMatch: 0.9,
      calibrationError: 0,
      newTokensPerKey: 1,
      requestsPerShown: 1,
      keystrokesSaved: 0.9,
    }),
  ).toEqual([]);
  expect(
    missed({
      exactMatch: 0.27,
      calibrationError: 0.07,
      newTokensPerKey: 12,
      requestsPerShown: 3,
      keystrokesSaved: 0.3,
    }),
  ).toEqual([
    "exact match",
    "calibration error",
    "new tokens per key press",
    "requests per shown suggestion",
    "keys saved while typing",
  ]);
  expect(missed({ ...figures, exactMatch: Number.NaN })).toEqual(["exact match"]);
});

it("counts what a prompt does not share with the one before", async () => {
  const counter = countNewTokens();
  const backend = counter.observe(new FakeBackend({ script: "x" }));
  const ask = async (text: string): Promise<void> => {
    const prompt = { kind: "rendered", text, tokens: 10 } as const;
    const request = { model: "m", prompt, maxTokens: 1, temperature: 0, stop: [] };
    const events = backend.complete(request, { signal: new AbortController().signal });
    for await (const event of events) expect(event).toBeDefined();
  };
  await ask("aaaaabbbbb");
  expect(counter.newTokens).toBeCloseTo(10, 9);
  await ask("aaaaaccccc");
  expect(counter.newTokens).toBeCloseTo(15, 9);
  await ask("aaaaaccccc");
  expect(counter.newTokens).toBeCloseTo(15, 9);
});
