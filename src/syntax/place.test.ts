import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../base/assert.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { lexicalScopeProbe } from "../core/index.ts";
import { aroundCursor, expectedSections, readCases, sectionOf } from "../testing/case-file.ts";
import { testSyntax } from "../testing/syntax-fixture.ts";
import { DocumentTrees } from "./index.ts";

const cases = readCases(join(import.meta.dirname, "../../test/cases/syntax/place"));

test.for(cases.map((file) => [file.title, file] as const))("%s", async ([, file]) => {
  const languageId = sectionOf(file, "language") ?? "";
  const { prefix, suffix } = aroundCursor(sectionOf(file, "document") ?? "");
  await testSyntax.prepare(languageId);
  const shown = { place: drawn(prefix, suffix, languageId) };
  expect(shown).toEqual(expectedSections(file, shown));
});

function drawn(prefix: string, suffix: string, languageId: string): string {
  const trees = new DocumentTrees(testSyntax);
  const text = prefix + suffix;
  const cursor = { key: "a", buffer: TextBuffer.from(text), offset: prefix.length, languageId };
  const syntax = present(trees.at(cursor), "grammar");
  const place = present(syntax.place, "place");
  const { region, delimiter, openBrackets } = syntax
    .scopeProbe(prefix, lexicalScopeProbe)
    .at(prefix, languageId);
  trees.close();
  const marks = [
    place.isInImport ? "import" : "",
    place.isInParameters ? "parameters" : "",
    delimiter ?? "",
  ].filter((mark) => mark !== "");
  const endOf = (end: number | null): string =>
    end === null ? "none" : `line ${text.slice(0, end).split("\n").length}`;
  return [
    [region, ...marks].join(" "),
    `open ${openBrackets.map(({ open, within }) => `${open}${within === null ? "" : ` in ${within}`}`).join(", ")}`,
    ...place.scopes.map(({ kind, start, headerEnd }) => `${kind}: ${text.slice(start, headerEnd)}`),
    `block ends ${endOf(place.blockEnd)}, statement ${endOf(place.statementEnd)}`,
  ].join("\n");
}
