import { describe, expect, test } from "vitest";
import { languageOf, languageOfPath, languages } from "./language.ts";

describe("languages", () => {
  test("are known by their extension, in any case and with any separator", () => {
    expect(
      [
        "src/a.ts",
        "A.TSX",
        "C:\\x\\b.py",
        "a.test.mjs",
        "x.d.ts",
        "lib.HPP",
        "style.module.scss",
      ].map(languageOfPath),
    ).toEqual([
      "typescript",
      "typescriptreact",
      "python",
      "javascript",
      "typescript",
      "cpp",
      "scss",
    ]);
  });

  test("are known by the whole name of a file", () => {
    expect(
      [
        "Dockerfile",
        "docker/Dockerfile.dev",
        "Makefile",
        "Gemfile",
        ".bashrc",
        "tsconfig.json",
      ].map(languageOfPath),
    ).toEqual(["dockerfile", "dockerfile", "makefile", "ruby", "shellscript", "jsonc"]);
  });

  test("are plain text when nothing tells", () => {
    expect(["", "README", "a.", "a.unheard-of", ".gitignore", "ts"].map(languageOfPath)).toEqual(
      new Array(6).fill("plaintext"),
    );
    expect(languageOf("unheard-of").id).toBe("plaintext");
    expect(languageOf("__proto__").id).toBe("plaintext");
  });

  test("have other names that editors use", () => {
    expect(["tsx", "bash", "C++", "Python", "golang"].map((id) => languageOf(id).id)).toEqual([
      "typescriptreact",
      "shellscript",
      "cpp",
      "python",
      "go",
    ]);
  });

  for (const language of languages) {
    test(`${language.id} has a name, and every extension of it leads back to it`, () => {
      expect(languageOf(language.id)).toBe(language);
      for (const extension of language.extensions) {
        expect(languageOfPath(`a.${extension}`)).toBe(language.id);
      }
      expect([...language.extensions, ...language.fileNames].length).toBeGreaterThan(0);
      expect(language.blockEnds.length > 0).toBe(language.blocks === "keywords");
    });
  }
});
