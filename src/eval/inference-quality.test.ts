import { describe, expect, test } from "vitest";
import type { InferenceAnswer } from "./inference-answers.ts";
import { cascadeOf, healingOf, qualityOf, startsBroken, wordsIn } from "./inference-quality.ts";

const answer: InferenceAnswer = {
  package: "a",
  path: "a.ts",
  offset: 0,
  place: "word",
  target: "urn value;",
  linePrefix: "  ret",
  plain: "return value;",
  unhealed: "urnValue;",
  ours: "urn value;",
  // So unsure that no calibrator prefers it.
  sureness: { total: -40, mean: -10, least: -20, first: -20 },
  trigger: 0.3,
  local: [{ text: "urn;", chance: 0.2 }],
};

describe("the figures of stored answers", () => {
  test("count what is exactly the rest of the line", () => {
    const sure = { ...answer, local: [{ text: "urn value;", chance: 0.9 }], ours: null };
    expect(qualityOf("a", [answer, sure], "smol-fim")).toMatchObject({
      cursors: 2,
      plain: 0,
      ours: 0.5,
      local: 0.5,
      asked: 0.5,
      // One file: every draw is the sample itself.
      gains: {
        ours: { difference: 0.5, low: 0.5, high: 0.5 },
        local: { difference: 0.5, low: 0.5, high: 0.5 },
        cascade: { difference: 0.5, low: 0.5, high: 0.5 },
      },
    });
    expect(cascadeOf(sure, "smol-fim")).toEqual({ text: "urn value;", isAsked: false });
  });

  test("leave out answers that were never asked plainly", () => {
    const { plain: _, unhealed: __, ...trained } = answer;
    expect(qualityOf("a", [trained], "smol-fim").cursors).toBe(0);
  });

  test("tell what healing does at each kind of cursor", () => {
    const after = { ...answer, place: "middle" as const, linePrefix: "x = ", unhealed: "val" };
    const words = wordsIn(["return value; urnValue"]);
    expect(healingOf([answer, after], () => words)).toEqual([
      {
        name: "inside a word",
        cursors: 1,
        unhealed: 0,
        healed: 1,
        brokenUnhealed: 1,
        brokenHealed: 0,
      },
      {
        name: "after a mark or blanks",
        cursors: 1,
        unhealed: 0,
        healed: 1,
        brokenUnhealed: 1,
        brokenHealed: 1,
      },
    ]);
  });
});

test("a word is broken when it and what was typed of it are none of the package", () => {
  const words = wordsIn(["return $value"]);
  expect(startsBroken("urn x", "ret", words)).toBe(false);
  expect(startsBroken("return x", "ret", words)).toBe(true);
  expect(startsBroken(" x", "ret", words)).toBe(true);
  expect(startsBroken(" return", "a = ", words)).toBe(false);
  expect(startsBroken("(1)", "f", wordsIn(["f(1)"]))).toBe(false);
  expect(startsBroken("+ 1", "a ", words)).toBe(false);
});
