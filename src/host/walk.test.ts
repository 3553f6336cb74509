import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { FolderRules } from "./folder-rules.ts";
import { LeftOutTally } from "./left-out.ts";
import { newestFirst, withinCaps } from "./newest-first.ts";
import { type FoundFile, realWorkspace, walk, walkFolders } from "./walk.ts";
import { pathInside } from "./workspace-path.ts";

async function walkAll(
  root: string,
  options: { maxFileBytes?: number; without?: readonly string[] } = {},
): Promise<{ files: FoundFile[]; tally: LeftOutTally }> {
  const tally = new LeftOutTally();
  const rules = await FolderRules.atRoot(root, { deny: [] });
  const files: FoundFile[] = [];
  const { maxFileBytes = 1_000_000, without = [] } = options;
  for await (const file of walk(root, rules, { tally, without, maxFileBytes })) files.push(file);
  return { files, tally };
}

describe("walk", () => {
  it("says of everything that it leaves out why", async () => {
    const root = tempFolder({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".gitignore": "dist/\n*.log\n",
      "src/a.ts": "a",
      "src/b.py": "bb",
      "dist/a.js": "",
      "x.log": "",
      ".env": "KEY=1",
      "node_modules/x/index.js": "",
      "package-lock.json": "{}",
      "logo.png": "",
      "huge.ts": "x".repeat(1_000_001),
      "just.ts": "x".repeat(1_000_000),
      "state/index.bin.txt": "",
    });
    symlinkSync("src/a.ts", join(root, "link.ts"));
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    const { files, tally } = await walkAll(root, { without: [join(root, "state")] });
    expect(files.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
      [".gitignore", 12],
      ["just.ts", 1_000_000],
      ["src/a.ts", 1],
      ["src/b.py", 2],
    ]);
    expect(tally.counts).toEqual({
      denied: 1,
      // .git, dist, node_modules and x.log
      ignored: 4,
      generated: 1,
      binary: 1,
      "too-large": 1,
      symlink: 1,
      special: 1,
    });
    expect(tally.problems).toEqual([]);
  });

  it("reports circles of links, dangling links and links upwards, and goes on", async () => {
    const root = tempFolder({ "a/b/c.ts": "", "z.ts": "" });
    symlinkSync("two", join(root, "one"));
    symlinkSync("one", join(root, "two"));
    symlinkSync("nowhere", join(root, "dangling.ts"));
    symlinkSync("..", join(root, "a", "b", "up"));
    symlinkSync(".", join(root, "self"));
    const { files, tally } = await walkAll(root);
    expect(files.map(({ path }) => path)).toEqual(["z.ts", "a/b/c.ts"]);
    expect(tally.counts).toEqual({ symlink: 5 });
    expect(tally.problems).toEqual([
      { path: "dangling.ts", message: "a link that leads nowhere" },
      { path: "one", message: "links that lead in a circle" },
      { path: "self", message: "a link to a folder that holds it" },
      { path: "two", message: "links that lead in a circle" },
      { path: "a/b/up", message: "a link to a folder that holds it" },
    ]);
  });

  it("takes a submodule in, with its own ignore file, in a repository or without", async () => {
    const files = {
      "main.ts": "",
      "sub/.gitignore": "built.ts\n",
      "sub/built.ts": "",
      "sub/lib.ts": "",
    };
    const git = {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/modules/sub/HEAD": "ref: refs/heads/main\n",
      "sub/.git": "gitdir: ../.git/modules/sub\n",
    };
    for (const more of [{}, git]) {
      const { files: found, tally } = await walkAll(tempFolder({ ...files, ...more }));
      const paths = found.map(({ path }) => path).sort();
      expect(paths).toEqual(["main.ts", "sub/.gitignore", "sub/lib.ts"]);
      expect(tally.problems).toEqual([]);
    }
  });

  it("enters no folder more than 64 deep, and says so", async () => {
    const chain = Array.from({ length: 70 }, () => "d").join("/");
    const root = tempFolder({ [`${chain}/deep.ts`]: "", [`${chain.slice(0, 127)}/edge.ts`]: "" });
    const { files, tally } = await walkAll(root);
    expect(files.map(({ path }) => path)).toEqual([`${chain.slice(0, 127)}/edge.ts`]);
    expect(tally.problems).toEqual([
      { path: chain.slice(0, 129), message: "lies more than 64 folders deep" },
    ]);
  });

  it("goes on when folders vanish under it", async () => {
    const root = tempFolder({ "a/1.ts": "", "b/2.ts": "", "c/3.ts": "" });
    const tally = new LeftOutTally();
    const rules = await FolderRules.atRoot(root, { deny: [] });
    const seen: string[] = [];
    const options = { tally, without: [], maxFileBytes: 10 };
    for await (const file of walk(root, rules, options)) {
      seen.push(file.path);
      rmSync(join(root, "b"), { recursive: true, force: true });
    }
    expect(seen).toEqual(["a/1.ts", "c/3.ts"]);
    expect(tally.counts).toEqual({ vanished: 1 });
  });

  it("reports an unreadable folder", async () => {
    // A name that is too long for the system stands for "no permission", which root always has.
    const root = tempFolder({ "a.ts": "" });
    const rules = await FolderRules.atRoot(root, { deny: [] });
    const tally = new LeftOutTally();
    const tooLong = await rules.enter("x".repeat(300));
    const folders = [];
    for await (const folder of walkFolders(root, tooLong, { tally, without: [] })) {
      folders.push(folder.fileNames);
    }
    expect(folders).toEqual([[]]);
    expect(tally.counts).toEqual({ unreadable: 1 });
    expect(tally.problems[0]?.message).toBe("cannot be read (ENAMETOOLONG)");
  });

  it("names a workspace that does not exist", async () => {
    const root = tempFolder({ "file.ts": "" });
    for (const folder of [join(root, "none"), join(root, "file.ts")]) {
      await expect(realWorkspace(folder)).rejects.toMatchObject({ code: "WORKSPACE_UNREADABLE" });
    }
    symlinkSync(root, join(root, "link"));
    expect(await realWorkspace(join(root, "link"))).toBe(root);
    expect(readdirSync(root)).toContain("link");
  });
});

describe("newestFirst", () => {
  it("puts what was changed last first; in a fresh clone code goes before the rest", async () => {
    const root = tempFolder({
      "README.md": "",
      "data.json": "",
      "lib/z.py": "",
      "src/a.ts": "",
      "src/a.test.ts": "",
      "test/b.ts": "",
      "old.ts": "",
    });
    const minute = 1_700_000_040;
    for (const path of ["README.md", "data.json", "lib/z.py", "src/a.ts", "src/a.test.ts"]) {
      utimesSync(join(root, path), minute, minute + (path.length % 7));
    }
    utimesSync(join(root, "test/b.ts"), minute, minute + 3);
    utimesSync(join(root, "old.ts"), minute, minute - 3600);
    const { files } = await walkAll(root);
    expect(newestFirst(files).map(({ path }) => path)).toEqual([
      "lib/z.py",
      "src/a.ts",
      "README.md",
      "src/a.test.ts",
      "test/b.ts",
      "data.json",
      "old.ts",
    ]);
  });

  it("keeps what fits", () => {
    const files = [4, 3, 9, 2, 1].map((sizeBytes, index) => ({
      path: String(index),
      sizeBytes,
      modifiedMs: 0,
    }));
    const cut = (maxFiles: number, maxTotalBytes: number): [string, number] => {
      const kept = withinCaps(files, { maxFiles, maxTotalBytes });
      return [kept.files.map(({ path }) => path).join(""), kept.overCount];
    };
    expect(cut(10, 100)).toEqual(["01234", 0]);
    expect(cut(2, 100)).toEqual(["01", 3]);
    expect(cut(10, 10)).toEqual(["0134", 1]);
  });
});

describe("pathInside", () => {
  it("is null outside", () => {
    expect(pathInside("/w", "/w/a/b.ts")).toBe("a/b.ts");
    expect(pathInside("/w", "/w/..a")).toBe("..a");
    for (const path of ["/w", "/", "/wx/a", "/v/a"]) expect(pathInside("/w", path)).toBe(null);
  });
});
