import { expect, it } from "vitest";
import { scoreAnswer } from "./score-answer.ts";

// Similarities by hand: one insertion in 9 units, "return b" has 4 edits to "return a + b".
it.each([
  ["  return a\n", "return a", true, true, 1],
  ["  return a\n", "\n\n    return a\nreturn b", false, true, 8 / 17],
  ["return a", "return a;", false, false, 8 / 9],
  ["return a + b", "return b", false, false, 8 / 12],
  ["return a", "", false, false, 0],
])("of %j scores %j", (target, answer, exact, exactFirstLine, similarity) => {
  const score = scoreAnswer({ target, isSingleLine: true }, answer);
  expect(score).toEqual({ exact, exactFirstLine, similarity: expect.closeTo(similarity, 12) });
});

it("has no first line where several are asked for", () => {
  expect(scoreAnswer({ target: "a\nb", isSingleLine: false }, "a\nb\n")).toEqual({
    exact: true,
    exactFirstLine: null,
    similarity: 1,
  });
});
