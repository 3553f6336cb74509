import { expect, test } from "vitest";
import { createRandom } from "../../stats/random.ts";
import { asSet, type LineAnswer } from "./line-answer.ts";
import { exactMatchInterval, lineScores } from "./line-scores.ts";

function answer(target: string, outcome: LineAnswer["outcome"]): LineAnswer {
  const about = { path: "a.ts", languageId: "typescript", place: "start" } as const;
  return { id: target, mode: "with suffix", target, way: asSet, outcome, context: null, ...about };
}

function text(written: string, chance: number | null): LineAnswer["outcome"] {
  return { kind: "text", text: written, chance, source: "local" };
}

const answers = [
  answer("return total;", text("return total;  ", 0.9)),
  answer("abcd", text("abxd", 0.6)),
  answer("value = 1;", text("value = 1;", 0.1)),
  answer("nothing", { kind: "none", reason: "empty" }),
  answer("plain();", text("plain();", null)),
  answer("lost", { kind: "failed", code: "BACKEND_TIMEOUT" }),
];

test("the figures are those that one gets by hand", () => {
  const scores = lineScores(answers, { threshold: 0.25 });
  expect(scores).toMatchObject({ questions: 5, failed: 1, answered: 4 / 5, exactMatch: 3 / 5 });
  // 1, 3/4, 1, 0, 1
  expect(scores.editSimilarity).toBeCloseTo(3.75 / 5, 12);
  // Shown: 0.9, 0.6 and the one without a chance; two of them are right.
  expect(scores.shown).toEqual({ count: 3, coverage: 3 / 5, precision: 2 / 3 });
  // (13 - 1) + (8 - 1) of 13 + 4 + 10 + 7 + 8 characters.
  expect(scores.keystrokesSaved).toBeCloseTo(19 / 42, 12);
  // Bins of one answer each: |0.9 - 1|, |0.6 - 0|, |0.1 - 1|.
  expect(scores.calibrated).toBe(3);
  expect(scores.calibrationError).toBeCloseTo((0.1 + 0.6 + 0.9) / 3, 12);
  expect(scores.curve.find(({ threshold }) => threshold === 0)).toEqual({
    threshold: 0,
    shown: 4,
    coverage: 4 / 5,
    precision: 3 / 4,
  });
  expect(scores.curve.find(({ threshold }) => threshold === 0.75)).toEqual({
    threshold: 0.75,
    shown: 2,
    coverage: 2 / 5,
    precision: 1,
  });
});

test("no answer at all has no figures", () => {
  const { questions, exactMatch, keystrokesSaved } = lineScores([], { threshold: 0.25 });
  expect({ questions, exactMatch, keystrokesSaved }).toEqual({
    questions: 0,
    exactMatch: Number.NaN,
    keystrokesSaved: Number.NaN,
  });
});

test("the interval holds the share, and files are drawn together", () => {
  const ofFile = (path: string): typeof answers => answers.map((one) => ({ ...one, path }));
  const both = [...ofFile("a.ts"), ...ofFile("b.ts")];
  expect(exactMatchInterval(both, { random: createRandom(1) })).toEqual({ low: 0.6, high: 0.6 });
});

test("lines of one file have no interval", () => {
  const one = answers.map((answer) => ({ ...answer, path: "a.ts" }));
  expect(exactMatchInterval(one, { random: createRandom(1) })).toBeNull();
  expect(exactMatchInterval([], { random: createRandom(1) })).toBeNull();
});
