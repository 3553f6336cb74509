import { describe, expect, it } from "vitest";
import { identifiersOf, wordsOf } from "./words.ts";

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

  it("finds each identifier once and no number", () => {
    expect(identifiersOf("let a1 = 12 + a1.bar($x, 0x1f)")).toEqual(["let", "a1", "bar", "$x"]);
  });
});
