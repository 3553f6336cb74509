import { describe, expect, it } from "vitest";
import { likelyBeginnings, likelyFiles, likelyPlaces } from "./start-place.ts";

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

  it("is a module rather than the file that names it in Python", () => {
    expect(likelyFiles(["app/a/__init__.py", "app/a/test_b.py", "app/a/b.py"])[0]).toBe(
      "app/a/b.py",
    );
  });

  it("is looked for all over the list where many are alike", () => {
    const paths = Array.from(
      { length: 80 },
      (_, i) => `src/part-${i >> 3}/${"abcdefgh"[i & 7]}.ts`,
    );
    expect(new Set(likelyFiles(paths).map((path) => path.split("/")[1])).size).toBe(8);
  });

  it("is none in a workspace without code", () => {
    expect(likelyFiles(["README.md", "data.csv"])).toEqual([]);
  });
});

describe("the places to start at", () => {
  it("are ends of lines that a line of the same indentation follows, and the end", () => {
    const text = "function f() {\n  a();\n  // why\n  if (b) {\n    c();\n    d();\n  }\n}\n";
    expect(likelyPlaces(text)).toEqual([
      { line: 4, column: 8 },
      { line: 1, column: 6 },
      { line: 8, column: 0 },
    ]);
  });

  it("are not in or right after a documentation text", () => {
    const text = 'def f():\n    """Reads\n    all\n    """\n    a()\n    b()\n';
    expect(likelyPlaces(text)).toEqual([
      { line: 4, column: 7 },
      { line: 6, column: 0 },
    ]);
  });

  it("are never none", () => {
    expect(likelyPlaces("")).toEqual([{ line: 0, column: 0 }]);
  });
});

describe("how a new line begins", () => {
  it("is what indented lines have in common, up to the end of a token", () => {
    const text = [
      "function f() {",
      "  const record = await load(a);",
      "  const record = await load(b);",
      "  const other = 1;",
      "  // const record = await",
      "  if (a) return;",
      "  if (b) return;",
      "}",
    ].join("\n");
    const beginnings = likelyBeginnings(text);
    expect(beginnings[0]).toBe("const record = await ");
    expect(beginnings).toContain("if (");
    expect(beginnings.filter((one) => one.startsWith("const other"))).toEqual([]);
  });

  it("is not taken from documentation", () => {
    const text = [
      "def f(a):",
      '    """One line."""',
      "    result = load(a)",
      '    """',
      "    :param a: what to load",
      "    :param b: what to load",
      '    """',
      "    result = load(b)",
    ].join("\n");
    expect(likelyBeginnings(text)).toEqual(["result = load(", "result = ", "result "]);
  });

  it("is unknown in a text without indented lines", () => {
    expect(likelyBeginnings("const a = 1;\nconst a = 2;\n")).toEqual([]);
  });
});
