import { describe, expect, it } from "vitest";
import { editDistance, editSimilarity, isExactMatch } from "./text-match.ts";

describe("exact match", () => {
  it("sets trailing blanks and line ends aside, and nothing else", () => {
    expect(isExactMatch("foo(a);", "foo(a);  \r\n")).toBe(true);
    expect(isExactMatch(" foo(a);", "foo(a);")).toBe(false);
    expect(isExactMatch("Foo", "foo")).toBe(false);
  });
});

describe("edit similarity", () => {
  it("has the textbook distance", () => {
    // kitten -> sitten -> sittin -> sitting.
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("", "abc")).toBe(3);
    expect(editDistance("flaw", "lawn")).toBe(2);
  });

  it("is one less the distance over the longer text", () => {
    expect(editSimilarity("kitten", "sitting")).toBeCloseTo(1 - 3 / 7, 12);
    expect(editSimilarity("abcd", "abcd \n")).toBe(1);
    expect(editSimilarity("", "")).toBe(1);
    expect(editSimilarity("abc", "")).toBe(0);
  });
});
