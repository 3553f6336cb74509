import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ModelChanceData, type ModelTextFacts, modelChance } from "./model-chance.ts";
import { surenessOf, TokenScoreList } from "./token-scores.ts";

const facts: ModelTextFacts = {
  model: "some-model",
  text: "value);",
  prefix: "const a = f(",
  suffix: "\n",
  multiline: false,
  triggerScore: 0.3,
  local: [],
  sureness: null,
};

/** Sure texts are likelier; nothing else counts. */
const fitted: ModelChanceData = {
  models: ["some-model"],
  withSureness: { features: ["total"], bias: 2, weights: [1], usual: -1 },
  withoutSureness: { features: ["twin"], bias: -1, weights: [3], usual: -1 },
  trainedOn: [],
};

const sure = (total: number) => ({ total, mean: total, least: total, first: total });

describe("the chance of a model's text", () => {
  test("follows its log-probabilities, and without them what else is seen of it", () => {
    expect(modelChance({ ...facts, sureness: sure(-2) }, fitted)).toBeCloseTo(0.5);
    const twin = [{ text: "value);", chance: 0.2 }];
    expect(modelChance({ ...facts, local: twin }, fitted)).toBeCloseTo(1 / (1 + Math.exp(-2)));
  });

  test("is the prior for a usual text of an unseen model, and moves half as far from it", () => {
    const unseen = { ...facts, model: "other" };
    expect(modelChance({ ...unseen, sureness: sure(-3) }, fitted)).toBeCloseTo(0.4);
    const odds = (chance: number | null): number => Math.log((chance ?? 0) / (1 - (chance ?? 0)));
    const better = modelChance({ ...unseen, sureness: sure(-1) }, fitted);
    expect(odds(better) - odds(0.4)).toBeCloseTo(1);
    expect(modelChance(unseen, fitted)).toBeNull();
  });

  test("is a chance whatever the text, with the weights that ship", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string(),
        fc.double(),
        (text, prefix, suffix, log) => {
          const sureness = Number.isNaN(log) ? null : sure(-Math.abs(log));
          const chance = modelChance({ ...facts, text, prefix, suffix, sureness }) ?? 0;
          expect(0 <= chance && chance <= 1).toBe(true);
        },
      ),
    );
  });
});

describe("token scores", () => {
  const list = new TokenScoreList(4);
  list.push({ kind: "text", text: " return", logProbability: -3 });
  list.push({ kind: "text", text: " a", logProbability: -1 });
  list.push({ kind: "text", text: ";", logProbability: -0.5 });
  list.push({ kind: "text", text: "\nmore", logProbability: -9 });

  test("leave out tokens that were demanded in part, and what comes after the text", () => {
    expect(surenessOf(list.scores, { start: 0, end: 6 })).toEqual({
      total: -1.5,
      mean: -0.75,
      least: -1,
      first: -1,
    });
  });

  test("take the demanded token where there is no other", () => {
    expect(surenessOf(list.scores, { start: 0, end: 3 })?.total).toBe(-3);
    expect(surenessOf([], { start: 0, end: 3 })).toBeNull();
  });
});
