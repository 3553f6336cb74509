import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../base/assert.ts";
import { expectedSections, readCases, sectionOf } from "../testing/case-file.ts";
import { testSyntax } from "../testing/syntax-fixture.ts";
import type { FileOutline } from "./index.ts";

const cases = readCases(join(import.meta.dirname, "../../test/cases/syntax/outline"));

test.for(cases.map((file) => [file.title, file] as const))("%s", async ([, file]) => {
  const languageId = sectionOf(file, "language") ?? "";
  const text = sectionOf(file, "text") ?? "";
  await testSyntax.prepare(languageId);
  const outline = present(testSyntax.outline(text, languageId), "outline");
  const shown = { outline: drawn(outline, text) };
  expect(shown).toEqual(expectedSections(file, shown));
});

test("a language without a grammar, or one that was not prepared, has no outline", async () => {
  expect(await testSyntax.prepare("yaml")).toBe(false);
  expect(await testSyntax.prepare("no such language")).toBe(false);
  expect(testSyntax.outline("a: 1\n", "yaml")).toBe(null);
});

test("a chunk is cut at a line start, before the comment of what follows", async () => {
  await testSyntax.prepare("typescript");
  const text = "const a = 1;\n\n// about b\nfunction b() {\n  c();\n}\nlet d;\n";
  const { chunkBorders } = present(testSyntax.outline(text, "typescript"), "outline");
  expect(chunkBorders.map((at) => text.slice(at).split("\n")[0])).toEqual([
    "const a = 1;",
    "// about b",
    "let d;",
  ]);
});

/** One line for each definition and import, `+` for what other files can name, then the names used. */
function drawn({ definitions, imports, references }: FileOutline, text: string): string {
  const lines = definitions.map(({ name, kind, parent, isExported, start, signatureEnd }) => {
    const path = parent === null ? name : `${parent}.${name}`;
    const header = text.slice(start, signatureEnd).replace(/\s+/g, " ").trim();
    return `${isExported ? "+" : "-"} ${kind} ${path}: ${header}`;
  });
  for (const { source, names } of imports) {
    const brought = names.map(({ name, alias }) => (name === alias ? name : `${name} as ${alias}`));
    lines.push(`import ${source}: ${brought.join(", ")}`);
  }
  return [...lines, `uses ${references.map(({ name }) => name).join(" ")}`].join("\n");
}
