import { expect, it } from "vitest";
import { createRandom } from "../../stats/random.ts";
import type { SourceFile } from "../source-file.ts";
import { blocksOf, sampleBlocks } from "./block-sample.ts";

const file = (path: string, text: string): SourceFile => ({ path, text, languageId: "typescript" });

it("asks for the body of a block and leaves its ends alone", () => {
  const text = "function f() {\n  a();\n  if (b) {\n    c();\n  }\n}\n";
  const blocks = blocksOf(file("a.ts", text));
  expect(blocks.map(({ target }) => target)).toEqual(["a();\n  if (b) {\n    c();\n  }"]);
  const [block] = blocks;
  expect(text.slice(0, block?.offset)).toBe("function f() {\n  ");
});

it("knows blocks without braces, and leaves out bodies that go on beyond a blank line", () => {
  const text =
    "def f():\n    a = 1\n    return a\nx = 1\nclass A:\n    b = 1\n    c = 2\n\n    d = 3\n";
  expect(blocksOf(file("a.py", text)).map(({ target }) => target)).toEqual(["a = 1\n    return a"]);
});

it("takes the files in turn", () => {
  const text = "if (a) {\n  b();\n  c();\n}\nif (d) {\n  e();\n  f();\n}\n";
  const files = [file("a.ts", text), file("b.ts", text)];
  const drawn = sampleBlocks(files, { count: 3, random: createRandom(1) });
  expect(drawn.map((block) => block.file.path)).toEqual(["a.ts", "b.ts", "a.ts"]);
});
