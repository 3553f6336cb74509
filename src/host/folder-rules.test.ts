import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { FolderRules } from "./folder-rules.ts";
import { rebaseIgnoreLines } from "./ignore-lines.ts";
import { LeftOutTally } from "./left-out.ts";
import { walkFolders } from "./walk.ts";
import { childPath } from "./workspace-path.ts";

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-C", folder, "-c", "core.excludesFile=", ...args], {
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });
}

async function keptFiles(root: string): Promise<string[]> {
  const rules = await FolderRules.atRoot(root, { deny: [] });
  const kept: string[] = [];
  const options = { tally: new LeftOutTally(), without: [] };
  for await (const { rules: folder, fileNames } of walkFolders(root, rules, options)) {
    kept.push(...fileNames.map((name) => childPath(folder.path, name)));
  }
  return kept.sort();
}

function filesThatGitKeeps(root: string): string[] {
  return git(root, "ls-files", "--others", "--exclude-standard", "-z")
    .split("\0")
    .filter((path) => path !== "")
    .sort();
}

describe("FolderRules", () => {
  it("means by a .gitignore what git means", async () => {
    const root = tempFolder({
      ".gitignore": [
        "\uFEFF*.log",
        "!keep.log",
        "/only-here.txt",
        "build/",
        "**/cache/",
        "docs/**/draft.md",
        "a/*/z.txt",
        "tmp?",
        "[Bb]in",
        "\\#hash.txt",
        "\\!bang.txt",
        "trailing.txt   ",
        "blank\\ ",
        "# a comment",
        "star\\*.txt",
        "data/**",
        "!data/keep/",
        "!data/keep/**",
        "windows.txt\r",
        "foo/bar",
        "",
      ].join("\n"),
      ".git-marker": "",
      "x.log": "",
      "keep.log": "",
      "sub/x.log": "",
      "sub/keep.log": "",
      "only-here.txt": "",
      "sub/only-here.txt": "",
      "build/out.js": "",
      "sub/build/out.js": "",
      "build.txt": "",
      "deep/cache/a": "",
      "docs/draft.md": "",
      "docs/x/y/draft.md": "",
      "docs/final.md": "",
      "a/b/z.txt": "",
      "a/b/c/z.txt": "",
      tmp1: "",
      tmp12: "",
      "bin/tool": "",
      "Bin/tool": "",
      "#hash.txt": "",
      "!bang.txt": "",
      "trailing.txt": "",
      "blank ": "",
      blank: "",
      "star*.txt": "",
      "starry.txt": "",
      "data/drop.csv": "",
      "data/keep/a.csv": "",
      "windows.txt": "",
      "foo/bar/baz": "",
      "sub/foo/bar/baz": "",
      // Nested files: their patterns are tied to their folder, and they win over those above.
      "nested/.gitignore": "!*.log\n/top.txt\nlow.txt\nbuild\n!build/\n!inner/x.tmp\n",
      "nested/a.log": "",
      "nested/top.txt": "",
      "nested/deep/top.txt": "",
      "nested/deep/low.txt": "",
      "nested/build/kept.js": "",
      "nested/deep/.gitignore": "*\n!.gitignore\n!me.txt\n",
      "nested/deep/me.txt": "",
      "nested/deep/you.txt": "",
      // A folder whose name is a pattern.
      "app/[id]/.gitignore": "local.txt\n/own.txt\n",
      "app/[id]/local.txt": "",
      "app/[id]/own.txt": "",
      "app/[id]/page.tsx": "",
      "app/i/local.txt": "",
      // What is in an ignored folder stays ignored.
      "build/.gitignore": "!out.js\n",
    });
    git(root, "init", "-q");
    writeFiles(root, { ".git/info/exclude": "private.txt\n*.tmp\n" });
    writeFiles(root, { "private.txt": "", "nested/inner/x.tmp": "", "y.tmp": "" });
    const kept = await keptFiles(root);
    expect(kept).toEqual(filesThatGitKeeps(root));
    expect(kept).toContain("nested/build/kept.js");
    expect(kept).toContain("nested/inner/x.tmp");
    expect(kept).toContain("app/i/local.txt");
    expect(kept).not.toContain("app/[id]/local.txt");
  });

  it("agrees with git on patterns that nobody thought of", async () => {
    const names = ["a", "b", "ab", "a.b", "b.log", "[a]", "a b"];
    const name = fc.constantFrom(...names);
    const piece = fc.constantFrom(
      "a",
      "b",
      "*",
      "**",
      "?",
      "a*",
      "*.log",
      "[ab]",
      "\\a",
      "[!a]",
      "a.b",
    );
    const pattern = fc
      .tuple(
        fc.constantFrom("", "", "", "!", "\\!"),
        fc.constantFrom("", "", "/"),
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "", "/", " ", "/ ", "\r"),
      )
      .map(([mark, slash, pieces, end]) => mark + slash + pieces.join("/") + end);
    const ignoreFile = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join("\n"));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    const tree = fc.record({
      paths: fc.uniqueArray(path, { minLength: 4, maxLength: 24 }),
      ignoreFiles: fc.dictionary(
        fc.constantFrom("", "a/", "a/b/", "[a]/", "ab/", "a b/"),
        ignoreFile,
        {
          minKeys: 1,
        },
      ),
      exclude: ignoreFile,
    });
    const root = tempFolder();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({ paths, ignoreFiles, exclude }) => {
        const folder = join(root, String(round++));
        mkdirSync(folder);
        git(folder, "init", "-q");
        // Each path becomes a file in a folder of its own, so that names clash nowhere.
        for (const path of paths) writeFiles(folder, { [`${path}/file`]: "" });
        for (const at of Object.keys(ignoreFiles)) {
          writeFiles(folder, { [`${at}.gitignore`]: ignoreFiles[at] ?? "" });
        }
        writeFiles(folder, { ".git/info/exclude": exclude });
        expect(await keptFiles(folder)).toEqual(filesThatGitKeeps(folder));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("counts rules of the repository around a workspace", async () => {
    const root = tempFolder({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/info/exclude": "excluded.txt\n",
      ".gitignore": "*.log\n/packages/app/gen/\n",
      "packages/.gitignore": "skip.ts\n",
      "packages/app/a.ts": "",
      "packages/app/skip.ts": "",
      "packages/app/a.log": "",
      "packages/app/excluded.txt": "",
      "packages/app/gen/b.ts": "",
    });
    expect(await keptFiles(join(root, "packages", "app"))).toEqual(["a.ts"]);
  });

  it("starts afresh in a workspace that the repository around it ignores", async () => {
    const root = tempFolder({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".gitignore": "scratch/\n*.ts\n",
      "scratch/app/a.ts": "",
    });
    expect(await keptFiles(join(root, "scratch", "app"))).toEqual(["a.ts"]);
  });

  it("finds the excludes of a worktree in the repository that it belongs to", async () => {
    const root = tempFolder({
      "main/.git/HEAD": "ref: refs/heads/main\n",
      "main/.git/info/exclude": "private.txt\n",
      "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
      "main/.git/worktrees/side/commondir": "../..\n",
      "side/a.ts": "",
      "side/private.txt": "",
    });
    writeFiles(root, { "side/.git": `gitdir: ${root}/main/.git/worktrees/side\n` });
    expect(await keptFiles(join(root, "side"))).toEqual(["a.ts"]);
  });

  it("takes out what .midspanignore says, and lets it bring nothing back", async () => {
    const root = tempFolder({
      ".gitignore": "ignored.ts\n",
      ".git/HEAD": "ref: refs/heads/main\n",
      ".midspanignore": "vendor/\n*.sql\n!keep.sql\n!ignored.ts\n!.env\n",
      "sub/.midspanignore": "/low.ts\n",
      ".env": "",
      "ignored.ts": "",
      "vendor/a.ts": "",
      "a.sql": "",
      "keep.sql": "",
      "low.ts": "",
      "sub/low.ts": "",
    });
    expect(await keptFiles(root)).toEqual([
      ".gitignore",
      ".midspanignore",
      "keep.sql",
      "low.ts",
      "sub/.midspanignore",
    ]);
  });

  it("leaves out the copies that editors keep of a file, of a secret one too", async () => {
    const copies = ["#a.ts#", ".#a.ts", "a.ts~", ".a.ts.swp", "a.ts___jb_tmp___", "#.npmrc#"];
    const kept = ["a.ts", "#a.ts", "a~b.ts", "a.swp.ts", "sub/a.ts"];
    const paths = [...kept, ...copies, ...copies.map((path) => `sub/${path}`)];
    const root = tempFolder(Object.fromEntries(paths.map((path) => [path, ""])));
    expect(await keptFiles(root)).toEqual(kept.toSorted());
  });

  it("never reads secrets, and takes nothing for one that only sounds like it", async () => {
    const secret = [
      ".env",
      ".env.local",
      ".ENV.production",
      ".envrc",
      "prod.env",
      "tls/server.pem",
      "tls/server.KEY",
      "store.p12",
      "id_rsa",
      "id_rsa.pub",
      "id_ed25519",
      ".npmrc",
      ".netrc",
      ".aws/config",
      "home/.ssh/config",
      "secrets/prod/x.ts",
      "credentials",
      "config/credentials.yml",
      "secrets.yaml",
      "terraform.tfstate",
      "prod.tfvars",
      ".git-credentials",
      ".bash_history",
    ];
    const open = [
      "config.json",
      "settings.json",
      "appsettings.json",
      "credentials.ts",
      "environment.ts",
      "keys.ts",
      "secret-santa.ts",
      "src/secrets.ts",
      "raw-config.js",
    ];
    const files = Object.fromEntries([...secret, ...open].map((path) => [path, ""]));
    const root = tempFolder(files);
    expect(await keptFiles(root)).toEqual([...open].sort());
    const rules = await FolderRules.atRoot(root, { deny: [] });
    const reasons = await Promise.all(secret.map((path) => rules.leavesOutPath(path)));
    expect(new Set(reasons)).toEqual(new Set(["denied"]));
  });

  it("skips lines that nobody can have meant and obeys the others", async () => {
    const deep = `${Array.from({ length: 60 }, () => "a").join("/")}/c.ts`;
    const root = tempFolder({
      ".gitignore": [
        "(".repeat(60_000),
        "x".repeat(900_000),
        `**/${"a/**/".repeat(12)}b`,
        "*a*a*a*a*a*a*a*a*a*a*a*a*b",
        "**/a/**/a/**/a/**/b",
        "[z-a]",
        "[",
        "\\",
        "*.log",
      ].join("\n"),
      ".git/HEAD": "ref: refs/heads/main\n",
      [`${"a".repeat(120)}c`]: "",
      [deep]: "",
      "x.log": "",
    });
    expect(await keptFiles(root)).toEqual([".gitignore", deep, `${"a".repeat(120)}c`]);
  });

  it("obeys the person's own deny patterns, which cannot take a secret back", async () => {
    const root = tempFolder({ "legal/a.md": "", "b.md": "", ".env": "" });
    const rules = await FolderRules.atRoot(root, { deny: ["legal/", "!.env"] });
    expect(
      await Promise.all(["legal/a.md", "b.md", ".env"].map((path) => rules.leavesOutPath(path))),
    ).toEqual(["denied", null, "denied"]);
  });
});

describe("rebaseIgnoreLines", () => {
  it("ties patterns to their folder", () => {
    const text = "*.log\n/a\nb/\nc/d\n!e\n\\#f\n#g\n\nh \n!/i/\n";
    expect(rebaseIgnoreLines(text, "x[1]/y")).toEqual([
      "/x\\[1\\]/y/**/*.log",
      "/x\\[1\\]/y/a",
      "/x\\[1\\]/y/**/b/",
      "/x\\[1\\]/y/c/d",
      "!/x\\[1\\]/y/**/e",
      "/x\\[1\\]/y/**/#f",
      "/x\\[1\\]/y/**/h",
      "!/x\\[1\\]/y/i/",
    ]);
  });
});
