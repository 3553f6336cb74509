import { describe, expect, test } from "vitest";
import { lexicalScopeProbe } from "../scope/lexical-scope-probe.ts";
import type { MultilineMode, TriggerKind } from "../types.ts";
import { decideMultiline, isEmptyOrClosers } from "./multiline.ts";

function several(
  document: string,
  languageId = "typescript",
  mode: MultilineMode = "auto",
  trigger: TriggerKind = "automatic",
): boolean {
  const [prefix = "", suffix = ""] = document.split("█");
  return decideMultiline({ mode, trigger, prefix, suffix, languageId, scopes: lexicalScopeProbe });
}

describe("several lines automatically", () => {
  for (const [says, document, languageId] of [
    ["where a block opens", "function f() {█", "typescript"],
    ["where a block opens on the line above", "function f() {\n  █\n}", "typescript"],
    ["where a block goes on", "function f() {\n  a();\n  █\n}", "typescript"],
    ["where a block ends", "function f() {\n  a();\n}█", "typescript"],
    ["before closers that the editor inserted", "items.map((item) => {█});", "typescript"],
    ["in an argument list of several lines", "send(\n  █\n)", "typescript"],
    ["after a colon", "def f(x):█", "python"],
    ["under a colon, at the margin", "def f(x):\n█", "python"],
    ["on an indented line", "def f(x):\n    y = x\n    █", "python"],
    ["after a keyword that opens a block", "items.each do█", "ruby"],
    ["after a keyword that ends one", "  end█", "ruby"],
    ["in an object", "{\n  █\n}", "json"],
    ["with a carriage return after the cursor", "function f() {█\r\n}", "typescript"],
  ] as const) {
    test(says, () => expect(several(document, languageId)).toBe(true));
  }
});

describe("one line automatically", () => {
  for (const [says, document, languageId] of [
    ["inside a statement", "const a = █", "typescript"],
    ["before other text", "function f() {█ return 1; }", "typescript"],
    ["before a word", "if (a) {\n  █b();\n}", "typescript"],
    ["in a comment", "function f() {\n  // {█\n}", "typescript"],
    ["in a string", 'f("{█")', "typescript"],
    ["at the margin of a file", "import a;\n█", "typescript"],
    ["inside an argument list", "def f():\n    call(a, █)", "python"],
    ["in an empty file", "█", "python"],
  ] as const) {
    test(says, () => expect(several(document, languageId)).toBe(false));
  }
});

describe("a person decides", () => {
  test("by invoking: several lines anywhere", () => {
    expect(several("const a = █b;", "typescript", "auto", "invoked")).toBe(true);
  });

  test("by a setting", () => {
    expect(several("function f() {█", "typescript", "never", "invoked")).toBe(false);
    expect(several("const a = █b;", "typescript", "always", "automatic")).toBe(true);
  });
});

test("a rest of the line is closers, with one mark after them at most", () => {
  const yes = ["", "  ", ")", '"));', " }) {", "`]:", ");\r", "}  "];
  const no = ["a", ") a", ");;", "=", "(", "// x", "🚀"];
  expect([yes.map(isEmptyOrClosers), no.map(isEmptyOrClosers)]).toEqual([
    yes.map(() => true),
    no.map(() => false),
  ]);
});
