import { expect, it } from "vitest";
import { editorLanguage, extensionOf, scratchLanguage } from "./languages.ts";

it("languages that the editor knows under another name are translated", () => {
  expect(["typescriptreact", "shellscript", "python", "cobol"].map(editorLanguage)).toEqual([
    "typescript",
    "shell",
    "python",
    "cobol",
  ]);
});

it("the scratch buffer speaks the language of most files", () => {
  expect(scratchLanguage(["a.py", "b.py", "c.ts", "README.md"]).languageId).toBe("python");
  expect(scratchLanguage([]).languageId).toBe("typescript");
});

it("an extension is what follows the last dot of the name", () => {
  const paths = ["src/a.test.TS", ".env", "a.b/Makefile", "x."];
  expect(paths.map(extensionOf)).toEqual(["ts", "", "", ""]);
});
