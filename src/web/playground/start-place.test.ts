import { describe, expect, it } from "vitest";
import { likelyFiles, likelyPlaces } from "./start-place.ts";

describe("the file to open first", () => {
  it("is source code of the person's own, not a test, a type list or a tool's setting", () => {
    const files = likelyFiles([
      "README.md",
      "package.json",
      "src/core/engine.test.ts",
      "src/core/engine.ts",
      "src/core/types.ts",
      "scripts/build.mjs",
      "vendor/lib/big.js",
      "vite.config.ts",
    ]);
    expect(files[0]).toBe("src/core/engine.ts");
    expect(files).not.toContain("README.md");
  });

  it("is none in a workspace without code", () => {
    expect(likelyFiles(["README.md", "data.csv"])).toEqual([]);
  });
});

describe("the places to start at", () => {
  it("are empty lines, then lines that open a block, and the end", () => {
    const text = "function f() {\n  a();\n\n  if (b) {\n    c();\n  }\n}\n";
    expect(likelyPlaces(text)).toEqual([
      { line: 2, column: 0 },
      { line: 3, column: 10 },
      { line: 7, column: 0 },
    ]);
  });

  it("are never none", () => {
    expect(likelyPlaces("")).toEqual([{ line: 0, column: 0 }]);
  });
});
