import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importsOf } from "./imports.ts";
import { PathTable } from "./path-table.ts";
import { resolveImport } from "./resolve-import.ts";

describe("imports", () => {
  it.each([
    ["typescript", 'import a, { b as c, type D } from "./x.ts";', "./x.ts", ["a", "c", "D"]],
    ["typescript", 'import * as fs from "node:fs";', "node:fs", ["fs"]],
    ["typescript", 'import {\n  one,\n  two,\n} from "../y";', "../y", ["one", "two"]],
    ["javascript", "const { a, b: c } = require('./z');", "./z", ["a", "c"]],
    ["python", "from .pkg.mod import one, two as three", ".pkg.mod", ["one", "three"]],
    ["python", "from a import (\n  b,  # why\n  c,\n)", "a", ["b", "c"]],
    ["python", "import numpy as np", "numpy", ["np"]],
    ["go", 'import (\n\tx "a/b/c"\n)', "a/b/c", ["x"]],
    ["java", "import static a.b.C.D;", "a.b.C.D", ["D"]],
    ["rust", "use crate::a::b::{C, D as E};", "crate::a::b", ["C", "E"]],
    ["rust", "mod parts;", "self::parts", ["parts"]],
  ])("%s: %s", (languageId, text, source, aliases) => {
    const [found] = importsOf(text, languageId);
    expect(found?.source).toBe(source);
    expect(found?.names.map(({ alias }) => alias)).toEqual(aliases);
  });

  it("reads any text in any language, quickly", () => {
    const text = fc.string({
      unit: fc.constantFrom("import ", "{", "from", '"', "\n", " ", "use ", "(", "a"),
    });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom("typescript", "python", "go", "java", "rust", "x"),
        (any, id) => {
          importsOf(any, id);
        },
      ),
    );
    expect(importsOf("import {".repeat(20_000), "typescript")).toEqual([]);
  });
});

describe("resolution", () => {
  const files = new PathTable([
    "src/a.ts",
    "src/lib/index.ts",
    "src/app/page.tsx",
    "pkg/__init__.py",
    "pkg/sub/mod.py",
    "internal/store/db.go",
    "internal/store/db_test.go",
    "java/src/com/acme/Thing.java",
    "src/lib.rs",
    "src/net/mod.rs",
    "src/net/tcp.rs",
  ]);
  it.each([
    ["typescript", "./a", "src/b.ts", ["src/a.ts"]],
    ["typescript", "./a.js", "src/b.ts", ["src/a.ts"]],
    ["typescript", "../lib", "src/app/x.ts", ["src/lib/index.ts"]],
    ["typescript", "@/app/page", "src/b.ts", ["src/app/page.tsx"]],
    ["typescript", "../../outside", "src/b.ts", []],
    ["typescript", "react", "src/b.ts", []],
    ["python", "pkg.sub.mod", "x.py", ["pkg/sub/mod.py"]],
    ["python", "..", "pkg/sub/mod.py", ["pkg/__init__.py"]],
    ["go", "example.com/m/internal/store", "main.go", ["internal/store/db.go"]],
    ["java", "com.acme.Thing", "java/src/x/Y.java", ["java/src/com/acme/Thing.java"]],
    ["java", "com.acme.Thing.MAX", "java/src/x/Y.java", ["java/src/com/acme/Thing.java"]],
    ["rust", "crate::net::tcp", "src/lib.rs", ["src/net/tcp.rs"]],
    ["rust", "super", "src/net/tcp.rs", ["src/net/mod.rs"]],
    ["rust", "crate::net::Conn", "src/lib.rs", ["src/net/mod.rs"]],
  ])("%s: %s from %s", (languageId, source, from, found) => {
    expect(resolveImport({ source, from, languageId }, files)).toEqual(found);
  });
});
