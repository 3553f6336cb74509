import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languageOf } from "../core/index.ts";
import { languageSyntaxes, syntaxOf } from "./languages.ts";

test("the documentation has the table as it is", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/syntax.md"), "utf8");
  const rows = Object.entries(languageSyntaxes).map(([id, { grammar, outline, check }]) => {
    const isYes = (condition: boolean): string => (condition ? "yes" : "no");
    return `| ${id} | ${grammar} | ${isYes(outline === "all")} | ${isYes(check)} |`;
  });
  expect(page).toContain(`| --- | --- | --- | --- |\n${rows.join("\n")}\n\n`);
});

test("every row is a language of the lexical rules, and found by its other names", () => {
  for (const id of Object.keys(languageSyntaxes)) expect(languageOf(id).id).toBe(id);
  expect(syntaxOf("ts")).toBe(languageSyntaxes.typescript);
  expect(syntaxOf("bash")).toBe(languageSyntaxes.shellscript);
  expect([syntaxOf("yaml"), syntaxOf("plaintext"), syntaxOf("constructor")]).toEqual([
    null,
    null,
    null,
  ]);
});
