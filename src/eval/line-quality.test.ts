import { describe, expect, it } from "vitest";
import type { CursorPlace, SampledCursor } from "./cursor-sample.ts";
import { judge, lineQuality } from "./line-quality.ts";

function cursor(place: CursorPlace, target: string): SampledCursor {
  return {
    file: { path: "a.ts", text: target, languageId: "typescript" },
    place,
    offset: 0,
    target,
  };
}

describe("one answer", () => {
  it("is right when the best candidate is the rest of the line", () => {
    const question = cursor("start", "foo(a);  ");
    const candidates = [
      { text: "foo(a);", chance: 0.6 },
      { text: "foo(b);", chance: 0.2 },
    ];
    expect(judge(question, candidates)).toEqual({
      cursor: question,
      chance: 0.6,
      isCorrect: true,
      isReachable: true,
      similarity: 1,
    });
    expect(judge(question, [...candidates].reverse())).toMatchObject({
      isCorrect: false,
      isReachable: true,
      similarity: 1 - 1 / 7,
    });
  });

  it("is none when there is no candidate, or only blank ones", () => {
    const none = { chance: null, isCorrect: false, isReachable: false, similarity: 0 };
    expect(judge(cursor("start", "ab"), [])).toMatchObject(none);
    expect(judge(cursor("start", "ab"), [{ text: "  ", chance: 0.9 }])).toMatchObject(none);
  });
});

describe("the figures of a set of answers", () => {
  const quality = lineQuality([
    judge(cursor("start", "ab"), [{ text: "ab", chance: 0.9 }]),
    judge(cursor("start", "ab"), [{ text: "xy", chance: 0.3 }]),
    judge(cursor("middle", "ab"), [
      { text: "ac", chance: 0.2 },
      { text: "ab", chance: 0.1 },
    ]),
    judge(cursor("word", "ab"), []),
  ]);

  it("count the right ones by place", () => {
    expect(quality.exactMatch).toEqual({ start: 0.5, middle: 0, word: 0, all: 0.25 });
    expect([quality.questions, quality.answered, quality.reachable]).toEqual([4, 0.75, 0.5]);
    expect(quality.editSimilarity).toBeCloseTo((1 + 0 + 0.5 + 0) / 4, 12);
  });

  it("calibrate over the answered ones and cover over all", () => {
    // Three bins of one answer each: (|0.9 - 1| + |0.3 - 0| + |0.2 - 0|) / 3.
    expect(quality.calibrationError).toBeCloseTo(0.2, 12);
    expect(quality.curve[1]).toEqual({
      threshold: 0.25,
      shown: 2,
      coverage: 0.5,
      precision: 0.5,
    });
  });

  it("are NaN without questions", () => {
    expect(lineQuality([]).exactMatch.all).toBeNaN();
  });
});
