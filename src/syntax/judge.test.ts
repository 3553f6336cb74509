import { beforeAll, expect, test } from "vitest";
import type { Tree } from "web-tree-sitter";
import { present } from "../base/assert.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { lexicalScopeProbe } from "../core/index.ts";
import { testSyntax } from "../testing/syntax-fixture.ts";
import { SyntaxTrial } from "./judge.ts";
import { SyntaxDocument } from "./syntax-document.ts";

beforeAll(async () => {
  await testSyntax.prepare("typescript");
});

/** Counts the parses of texts that are tried. */
class CountingDocument extends SyntaxDocument {
  parses = 0;

  override fork(...fork: Parameters<SyntaxDocument["fork"]>): Tree | null {
    this.parses++;
    return super.fork(...fork);
  }
}

function trialAt(marked: string): { document: CountingDocument; trial: SyntaxTrial } {
  const [before = "", after = ""] = marked.split("█");
  const { grammar } = present(testSyntax.open("typescript"), "grammar");
  const document = new CountingDocument(grammar, () => 0);
  const buffer = TextBuffer.from(before + after);
  present(document.update(buffer, 1), "tree");
  const windowStart = before.lastIndexOf("\n") + 1;
  const scope = lexicalScopeProbe.at(before.slice(windowStart), "typescript");
  const place = { document, buffer, offset: before.length, languageId: "typescript" };
  return { document, trial: new SyntaxTrial({ ...place, scope, windowStart }) };
}

const edit = (text: string) => ({ text, replaceBefore: 0, replaceAfter: 0 });

test("A text that parses costs one parse.", () => {
  const { document, trial } = trialAt("const price = 1;\nconst total = █\nconst tax = 2;\n");
  expect(trial.breaks(edit("price * 2;"), 1)).toBe(false);
  expect(document.parses).toBe(1);
  document.close();
});

test("A text whose brackets need closing costs two more.", () => {
  const { document, trial } = trialAt("const price = 1;\nif (price) █\n");
  expect(trial.breaks(edit("{ run(price"), 1)).toBe(false);
  expect(document.parses).toBe(3);
  document.close();
});

test("What does not depend on the text is found out once for all texts of a cursor.", () => {
  const { document, trial } = trialAt("const price = 1;\nconst total = █\nconst tax = 2;\n");
  expect(trial.breaks(edit("price tax price;"), 1)).toBe(true);
  const first = document.parses;
  expect(trial.breaks(edit("tax price tax;"), 1)).toBe(true);
  expect(document.parses - first).toBeLessThan(first - 1);
  document.close();
});

test("Where the document is broken without the line, a text costs two parses, and later ones one.", () => {
  const { document, trial } = trialAt("const = = ;\nconst total = █\n");
  expect(trial.breaks(edit("price tax price;"), 1)).toBe(false);
  expect(document.parses).toBe(2);
  expect(trial.breaks(edit("tax price tax;"), 1)).toBe(false);
  expect(document.parses).toBe(3);
  document.close();
});
