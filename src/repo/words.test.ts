import { describe, expect, it } from "vitest";
import { forEachIdentifier, wordsOf } from "./words.ts";

describe("words of names", () => {
  it.each([
    ["getHTTPUser_v2", ["get", "http", "user", "v2"]],
    ["snake_case_name", ["snake", "case", "name"]],
    ["SCREAMING_CASE", ["screaming", "case"]],
    ["$el", ["el"]],
    ["a", []],
    ["größe", ["größe"]],
  ])("%s", (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  it("finds each run of letters, and no number", () => {
    const text = "let a1 = 12 + a1.bar($x, 0x1f)";
    const found: string[] = [];
    forEachIdentifier(text, { start: 0, end: text.length }, (start, end) => {
      found.push(text.slice(start, end));
    });
    expect(found).toEqual(["let", "a1", "a1", "bar", "$x"]);
  });
});
