import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AdaptationLabel,
  adaptationFrom,
  adaptedChance,
  LEAST_LABELS,
  learn,
  MOST_SHIFT,
  noAdaptation,
  shareOf,
} from "./adaptation.ts";
import { type ShowFeatures, showFeatures } from "./show-features.ts";

const features: ShowFeatures = {
  length: 3,
  lines: 0,
  inWord: 0,
  lineStart: 1,
  textRight: 0,
  invoked: 0,
  model: 0,
};

function labels(count: number, isTaken: (i: number) => boolean): readonly AdaptationLabel[] {
  return Array.from({ length: count }, (_, i) => ({
    chance: 0.5,
    features: { ...features, inWord: i % 2 },
    isTaken: isTaken(i),
    weight: 1,
  }));
}

const logOdds = (chance: number): number => Math.log(chance / (1 - chance));

const anyFeatures = fc.record({
  length: fc.double(),
  lines: fc.double({ min: 0, max: 5, noNaN: true }),
  inWord: fc.nat(1),
  lineStart: fc.nat(1),
  textRight: fc.nat(1),
  invoked: fc.nat(1),
  model: fc.nat(1),
});

const anyLabel: fc.Arbitrary<AdaptationLabel> = fc.record({
  chance: fc.double({ min: 0, max: 1, noNaN: true }),
  features: anyFeatures,
  isTaken: fc.boolean(),
  weight: fc.double(),
});

describe("the show rule", () => {
  test("is the same for everybody below 50 decisions", () => {
    const learned = adaptationFrom(labels(LEAST_LABELS - 1, () => false));
    expect(adaptedChance(0.7, features, learned)).toBe(0.7);
    expect(shareOf(learned)).toBe(0);
  });

  test("takes one step per decision", () => {
    // At a chance of one half the log odds are 0, so only the bias and the features move.
    const once = learn(noAdaptation, {
      chance: 0.5,
      features: { length: 2 },
      isTaken: true,
      weight: 1,
    });
    expect(once).toMatchObject({ labels: 1, bias: 0.01, slope: 1 });
    expect(once.weights).toMatchObject({ length: 0.02, inWord: 0 });
  });

  test("shows less to who refuses and more to who takes, the more decisions the more", () => {
    const refusing = [50, 200, 1_000].map((count) =>
      adaptedChance(0.5, features, adaptationFrom(labels(count, () => false))),
    );
    expect(refusing).toEqual([...refusing].sort((a, b) => b - a));
    expect(refusing[0]).toBeLessThan(0.5);
    const taking = adaptationFrom(labels(200, () => true));
    expect(adaptedChance(0.5, features, taking)).toBeGreaterThan(0.55);
  });

  test("tells apart places where a person decides differently", () => {
    const learned = adaptationFrom(labels(1_000, (i) => i % 2 === 1));
    const inWord = adaptedChance(0.5, { ...features, inWord: 1 }, learned);
    expect(inWord - adaptedChance(0.5, features, learned)).toBeGreaterThan(0.2);
  });

  test("gives an accept of which nothing was kept no weight", () => {
    const label = { chance: 0.5, features, isTaken: true, weight: 0 };
    expect(learn(noAdaptation, label)).toEqual({ ...noAdaptation, labels: 1 });
  });

  test("stays a chance and within its bounds, whatever the decisions", () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    const decisions = fc.array(anyLabel, { minLength: LEAST_LABELS, maxLength: 120 });
    fc.assert(
      fc.property(decisions, chance, anyFeatures, (made, given, at) => {
        const learned = adaptationFrom(made);
        const weights = [learned.bias, learned.slope, ...Object.values(learned.weights)];
        expect(weights.every((weight) => Math.abs(weight) <= 5)).toBe(true);
        const adapted = adaptedChance(given, at, learned);
        const bounded = Math.max(0.01, Math.min(0.99, given));
        const shift = Math.abs(logOdds(adapted) - logOdds(bounded));
        expect(shift <= MOST_SHIFT + 1e-9).toBe(true);
      }),
    );
  });
});

test("The features say where a text stands and how long it is.", () => {
  const place = { prefix: "if (a) {\n  re", suffix: " // end\n", trigger: "invoked" } as const;
  expect(showFeatures({ ...place, text: "turn a + b;\n\n}", isModel: true })).toEqual({
    length: 2.708,
    lines: 1.099,
    inWord: 1,
    lineStart: 0,
    textRight: 1,
    invoked: 1,
    model: 1,
  });
});
