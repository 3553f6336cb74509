import { expect, test } from "vitest";
import { textTable, wrapped } from "./text-table.ts";

test("columns are as wide as their widest cell, and lines end without blanks", () => {
  const rows = [
    ["name", "size", ""],
    ["a", "1 MB", "here"],
    ["longer", "100 MB", ""],
  ];
  expect(textTable(rows, ["left", "right"])).toEqual([
    "name      size",
    "a         1 MB  here",
    "longer  100 MB",
  ]);
  expect(textTable([])).toEqual([]);
});

test("a text is cut between words and indented", () => {
  expect(wrapped("one two three four", { width: 8, indent: 2 })).toBe("one two\n  three\n  four");
  expect(wrapped("unbreakable", { width: 3, indent: 2 })).toBe("unbreakable");
});
