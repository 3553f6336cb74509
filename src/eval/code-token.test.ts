import fc from "fast-check";
import { expect, it } from "vitest";
import { codeTokens } from "./code-token.ts";

it("carries the blanks before a token, and the indentation with the line end", () => {
  expect(codeTokens("if (a?.b === 1) {\n  c();\n}")).toEqual([
    "if",
    " (",
    "a",
    "?.",
    "b",
    " ===",
    " 1",
    ")",
    " {",
    "\n  ",
    "c",
    "(",
    ")",
    ";",
    "\n",
    "}",
  ]);
});

it("loses nothing of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(codeTokens(text).join("")).toBe(text);
    }),
  );
});
