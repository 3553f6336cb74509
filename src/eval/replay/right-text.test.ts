import { expect, test } from "vitest";
import { acceptSteps } from "./right-text.ts";

/** How a person takes a text: characters by key, with the closers that go. */
function taken(
  text: string,
  place: {
    readonly upcoming: string;
    readonly closers?: string;
    readonly prefix?: string;
    readonly replaceBefore?: number;
    readonly replaceAfter?: number;
  },
): readonly (readonly [units: number, closers: number])[] {
  const { upcoming, closers = "", prefix = "", replaceBefore = 0, replaceAfter = 0 } = place;
  const around = { prefix, suffix: `${closers}\nrest` };
  const steps = acceptSteps({ text, replaceBefore, replaceAfter }, { upcoming, closers }, around);
  return steps.map(({ accepted }) => [accepted.units, accepted.closers]);
}

test("a text that is all right is taken with one key", () => {
  expect(taken("total(items);", { upcoming: "total(items);\nnext" })).toEqual([[13, 0]]);
  expect(taken("a;\n  b;", { upcoming: "a;\n  b;\n}" })).toEqual([[7, 0]]);
});

test("a single character is typed", () => {
  expect(taken(";", { upcoming: ";" })).toEqual([]);
});

test("of several lines the first is taken if only that is right", () => {
  expect(taken("first();\nwrong();", { upcoming: "first();\nright();" })).toEqual([[8, 0]]);
});

test("of a line the first words are taken, a key each, if they are worth it", () => {
  expect(taken("return wrong;", { upcoming: "return right;" })).toEqual([[6, 0]]);
  expect(taken("a = wrong;", { upcoming: "a = right;" })).toEqual([]);
});

test("closers that the editor put there must go with the text, or be needed after it", () => {
  expect(taken("a, b)", { upcoming: "a, b);", closers: ")", replaceAfter: 1 })).toEqual([[5, 1]]);
  expect(taken("a, b", { upcoming: "a, b);", closers: ")" })).toEqual([[4, 0]]);
  // The bracket would stand there twice; the words before it are right all the same.
  expect(taken("a, b)", { upcoming: "a, b);\n", closers: ")" })).toEqual([]);
});

test("what stands left of the cursor must come back as it is", () => {
  const place = { upcoming: "tal();", prefix: "  to", replaceBefore: 2 };
  expect(taken("total();", place)).toEqual([[6, 0]]);
  expect(taken("Total();", place)).toEqual([]);
});
