import { describe, expect, it } from "vitest";
import { filterFiles, folderOf, nameOf, treeOf } from "./file-tree.ts";

const paths = ["README.md", "src/web/main.ts", "src/a10.ts", "src/a9.ts", "docs/main.md"];

describe("the tree of files", () => {
  it("has folders and files in the order of their names, numbers by value", () => {
    expect(treeOf(paths)).toEqual({
      name: "",
      folders: [
        { name: "docs", folders: [], files: ["docs/main.md"] },
        {
          name: "src",
          folders: [{ name: "src/web", folders: [], files: ["src/web/main.ts"] }],
          files: ["src/a9.ts", "src/a10.ts"],
        },
      ],
      files: ["README.md"],
    });
  });

  it("is empty for an empty workspace", () => {
    expect(treeOf([])).toEqual({ name: "", folders: [], files: [] });
  });
});

describe("the filter", () => {
  it("wants every word somewhere in the path, whatever the case", () => {
    expect(filterFiles(paths, "SRC ts")).toEqual(["src/web/main.ts", "src/a10.ts", "src/a9.ts"]);
    expect(filterFiles(paths, "src md")).toEqual([]);
  });

  it("puts matches in the file name first", () => {
    expect(filterFiles(["web/a.ts", "a/web.ts"], "web")).toEqual(["a/web.ts", "web/a.ts"]);
  });

  it("finds nothing for no words", () => {
    expect(filterFiles(paths, "  ")).toEqual([]);
  });
});

it("a path splits into folder and name", () => {
  expect([folderOf("a/b/c.ts"), nameOf("a/b/c.ts")]).toEqual(["a/b", "c.ts"]);
  expect([folderOf("c.ts"), nameOf("c.ts")]).toEqual(["", "c.ts"]);
});
