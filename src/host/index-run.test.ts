import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LocalIndex } from "../local/index.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { type IndexReport, type IndexRunOptions, runIndex } from "./index-run.ts";
import type { IndexWarning } from "./index-store.ts";
import { workspaceStateFolder } from "./workspace-state.ts";
import { acquireWriterLock } from "./writer-lock.ts";

interface Ran {
  readonly report: IndexReport;
  readonly indexes: readonly { readonly index: LocalIndex; readonly isWhole: boolean }[];
  readonly warnings: readonly IndexWarning[];
  readonly paths: readonly string[];
}

async function run(
  root: string,
  options: Partial<IndexRunOptions> & { onPause?: () => void } = {},
): Promise<Ran> {
  const indexes: { index: LocalIndex; isWhole: boolean }[] = [];
  const warnings: IndexWarning[] = [];
  const report = await runIndex(
    {
      root,
      cacheFolder: null,
      deny: [],
      maxFiles: 1000,
      maxFileBytes: 1_000_000,
      maxTotalBytes: 10_000_000,
      maxStateBytes: 1_000_000_000,
      previous: null,
      ...options,
    },
    {
      onFiles: () => {},
      onIndex: (index, isWhole) => void indexes.push({ index, isWhole }),
      onProgress: () => {},
      onWarning: (warning) => void warnings.push(warning),
      onBuild: () => {},
      pause: async () => options.onPause?.(),
    },
  );
  const paths = (indexes.at(-1)?.index.files ?? []).map(({ path }) => path).sort();
  return { report, indexes, warnings, paths };
}

function summary({ report }: Ran): [number, number, string] {
  return [report.lexedFiles, report.reusedFiles, report.stored];
}

/** What a run says does not depend on how long it took. */
const sources = {
  "src/a.ts": "export const alpha = 1;\n",
  "src/b.ts": "import { alpha } from './a';\n",
  "README.md": "# Alpha\n",
};

describe("runIndex", () => {
  it("lexes no unchanged file the second time", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    expect(summary(await run(root, { cacheFolder }))).toEqual([3, 0, "written"]);
    const second = await run(root, { cacheFolder });
    expect(summary(second)).toEqual([0, 3, "unchanged"]);
    expect(second.paths).toEqual(["README.md", "src/a.ts", "src/b.ts"]);
    expect(second.indexes.map(({ isWhole }) => isWhole)).toEqual([false, true]);
  });

  it("lexes what changed, and forgets what is gone", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    await run(root, { cacheFolder });
    writeFiles(root, { "src/b.ts": "export const beta = 2;\n", "src/c.ts": "let c;\n" });
    rmSync(join(root, "README.md"));
    const second = await run(root, { cacheFolder });
    expect(summary(second)).toEqual([2, 1, "written"]);
    expect(second.paths).toEqual(["src/a.ts", "src/b.ts", "src/c.ts"]);
    rmSync(join(root, "src/c.ts"));
    expect(summary(await run(root, { cacheFolder }))).toEqual([0, 2, "written"]);
    expect(summary(await run(root, { cacheFolder }))).toEqual([0, 2, "unchanged"]);
  });

  it("knows by its hash a file that was only touched", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    await run(root, { cacheFolder });
    utimesSync(join(root, "src/a.ts"), 1, 1);
    expect(summary(await run(root, { cacheFolder }))).toEqual([0, 3, "written"]);
    expect(summary(await run(root, { cacheFolder }))).toEqual([0, 3, "unchanged"]);
  });

  it("delivers a small index of the newest files before the whole one", async () => {
    const big = "const value = compute(other);\n".repeat(20_000);
    const files = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`old${i}.ts`, `// ${i}\n${big}`]),
    );
    const root = tempFolder({ ...files, "new.ts": "export const fresh = 1;\n" });
    for (const path of Object.keys(files)) utimesSync(join(root, path), 1000, 1000);
    const { indexes, report } = await run(root);
    const counts = indexes.map(({ index, isWhole }) => [index.files.length, isWhole]);
    expect(counts).toEqual([
      [2, false],
      [7, true],
    ]);
    expect(indexes[0]?.index.files[0]?.path).toBe("new.ts");
    expect(report.lexedFiles).toBe(7);
  });

  it("takes text in any encoding and counts what is none", async () => {
    const root = tempFolder({
      "crlf.ts": "const a = 1;\r\nconst b = 2;\r\n",
      "bom.ts": "\uFEFFconst a = 1;\n",
      "utf16.ts": Buffer.from("\uFEFFconst a = 1;\n", "utf16le"),
      "empty.ts": "",
      "lone.ts": Buffer.from([0x61, 0xed, 0xa0, 0x80, ...Buffer.from("b".repeat(100))]),
      "binary.ts": Uint8Array.of(1, 2, 0, 3),
      "long.ts": `x = "${"a b ".repeat(125_000)}"`,
      "made.ts": "// Code generated by x. DO NOT EDIT.\n",
      "over.ts": "x".repeat(1_000_001),
    });
    const { report, paths } = await run(root);
    expect(paths).toEqual(["bom.ts", "crlf.ts", "empty.ts", "lone.ts", "utf16.ts"]);
    expect(report.leftOut).toEqual({ binary: 1, minified: 1, generated: 1, "too-large": 1 });
  });

  it("goes on when files vanish or become unreadable under it", async () => {
    const root = tempFolder({ "a.ts": "a", "b.ts": "b", "c.ts": "c", "d.ts": "d" });
    const { report, paths } = await run(root, {
      onPause: () => {
        rmSync(join(root, "b.ts"));
        rmSync(join(root, "c.ts"));
        // Root may read everything, but nobody can follow a circle.
        symlinkSync("c.ts", join(root, "c.ts"));
      },
    });
    expect(paths).toEqual(["a.ts", "d.ts"]);
    expect(report.leftOut).toEqual({ unreadable: 1, vanished: 1 });
    expect(report.problems).toEqual([{ path: "c.ts", message: "cannot be read (ELOOP)" }]);
  });

  it("takes a file that becomes a pipe, a link or a huge file under it for what it became", async () => {
    const root = tempFolder({ "a.ts": "let a;", "b.ts": "let b;", "c.ts": "let c;", "d.ts": "" });
    const elsewhere = tempFolder({ "secret.ts": "let secret;" });
    const { report, paths } = await run(root, {
      maxFileBytes: 100,
      onPause: () => {
        for (const name of ["a.ts", "b.ts"]) rmSync(join(root, name));
        execFileSync("mkfifo", [join(root, "a.ts")]);
        symlinkSync(join(elsewhere, "secret.ts"), join(root, "b.ts"));
        writeFiles(root, { "c.ts": "let c;\n".repeat(100) });
      },
    });
    expect(paths).toEqual(["d.ts"]);
    expect(report.leftOut).toEqual({ special: 1, "too-large": 1, unreadable: 1 });
    expect(report.problems).toEqual([{ path: "b.ts", message: "cannot be read (ELOOP)" }]);
  });

  it("keeps to its caps and says which ones cut", async () => {
    const root = tempFolder({ "a.ts": "aaaa", "b.ts": "bbbb", "c.ts": "cccc" });
    for (const [index, name] of ["b.ts", "c.ts", "a.ts"].entries()) {
      utimesSync(join(root, name), 10_000 - index * 1000, 10_000 - index * 1000);
    }
    const few = await run(root, { maxFiles: 2 });
    expect(few.paths).toEqual(["b.ts", "c.ts"]);
    expect(few.report.leftOut).toEqual({ "over-cap": 1 });
    expect(few.warnings.map(({ message }) => message)).toEqual([
      "the index holds the newest 2 of 3 files; raise index.maxFiles (2) or index.maxTotalBytes (10000000), or name folders in a .midspanignore",
    ]);
    expect((await run(root, { maxTotalBytes: 8 })).paths).toEqual(["b.ts", "c.ts"]);
  });

  it("ends the walk of a tree that is far over the cap", async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.ts`, "x"]));
    const { report, warnings } = await run(tempFolder(files), { maxFiles: 2 });
    expect(report.files).toBe(2);
    expect(warnings[0]?.message).toContain("the newest 2 of more than 8 files");
  });

  it("builds a broken index anew", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    const file = join(workspaceStateFolder(cacheFolder, root), "index.bin");
    await run(root, { cacheFolder });
    const whole = readFileSync(file);
    const damages: (() => void)[] = [
      () => writeFileSync(file, ""),
      () => writeFileSync(file, "no index"),
      () => truncateSync(file, whole.length - 7),
      () =>
        writeFileSync(
          file,
          whole.map((byte, at) => (at === whole.length >> 1 ? byte ^ 1 : byte)),
        ),
    ];
    for (const damage of damages) {
      damage();
      const again = await run(root, { cacheFolder });
      expect(again.warnings.map(({ code }) => code)).toEqual(["INDEX_CORRUPT"]);
      expect(summary(again)).toEqual([3, 0, "written"]);
    }
    expect(summary(await run(root, { cacheFolder }))).toEqual([0, 3, "unchanged"]);
  });

  it("says what is in the way of the stored index, and goes on", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    const file = join(workspaceStateFolder(cacheFolder, root), "index.bin");
    writeFiles(file, { "something.txt": "" });
    const { report, warnings } = await run(root, { cacheFolder });
    expect([report.files, report.stored]).toEqual([3, "failed"]);
    expect(warnings).toEqual([
      {
        code: "INDEX_CORRUPT",
        message: `The stored index cannot be read: ${file} is no plain file; the index is built anew`,
      },
      {
        code: "STORAGE_UNWRITABLE",
        message: `cannot write ${file}: a folder is in the way of a file (EISDIR); move it away, or choose another place; the index is kept in memory only`,
      },
    ]);
  });

  it("works from memory while another process stores", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    await run(root, { cacheFolder });
    writeFiles(root, { "src/a.ts": "export const alpha = 2;\n" });
    const lock = await acquireWriterLock(join(workspaceStateFolder(cacheFolder, root), "lock"));
    const second = await run(root, { cacheFolder });
    expect(second.warnings.map(({ code }) => code)).toEqual(["INDEX_LOCKED"]);
    // It read what the other stored, and lexed the rest.
    expect(summary(second)).toEqual([1, 2, "locked"]);
    await lock?.release();
    expect(summary(await run(root, { cacheFolder }))).toEqual([1, 2, "written"]);
  });

  it("leaves nothing behind but the index and a note", async () => {
    const root = tempFolder(sources);
    const cacheFolder = tempFolder();
    const folder = workspaceStateFolder(cacheFolder, root);
    writeFiles(folder, { "index.bin.1-dead.tmp": "half an index" });
    await run(root, { cacheFolder });
    expect(readdirSync(folder).sort()).toEqual(["index.bin", "workspace.json"]);
    expect(readdirSync(root).sort()).toEqual(["README.md", "src"]);
  });

  it("goes on without a place to store", async () => {
    const root = tempFolder({ ...sources, cache: "a file where a folder should be" });
    const { report, warnings } = await run(root, { cacheFolder: join(root, "cache") });
    expect([report.files, report.stored]).toEqual([4, "failed"]);
    expect(warnings).toEqual([
      {
        code: "STORAGE_UNWRITABLE",
        message: expect.stringMatching(/^cannot write .*; the index is kept in memory only$/),
      },
    ]);
  });

  it("goes on with a full disk", async () => {
    // A file system of 64 kB, where we may make one; elsewhere the test of the atomic write has to do.
    const root = tempFolder({ "a.ts": "let wordOne;\n".repeat(30_000), "b.ts": "let two;\n" });
    const cacheFolder = tempFolder();
    if (!mountTiny(cacheFolder)) return;
    try {
      const { report, warnings } = await run(root, { cacheFolder });
      expect([report.files, report.stored]).toEqual([2, "failed"]);
      expect(warnings).toEqual([
        { code: "STORAGE_FULL", message: expect.stringContaining("no space is left (ENOSPC)") },
      ]);
      expect(existsSync(join(workspaceStateFolder(cacheFolder, root), "index.bin"))).toBe(false);
    } finally {
      execFileSync("umount", [cacheFolder]);
    }
  });

  it("does not index its own state, should it lie in the workspace", async () => {
    const root = tempFolder(sources);
    // Named by a link, as /var is on macOS.
    const link = join(tempFolder(), "link");
    symlinkSync(root, link);
    const cacheFolder = join(link, "state");
    await run(root, { cacheFolder });
    const second = await run(root, { cacheFolder });
    expect(second.paths).toEqual(["README.md", "src/a.ts", "src/b.ts"]);
    expect(summary(second)).toEqual([0, 3, "unchanged"]);
  });

  it("refuses a workspace that is not there", async () => {
    await expect(run(join(tempFolder(), "none"))).rejects.toMatchObject({
      code: "WORKSPACE_UNREADABLE",
    });
  });
});

function mountTiny(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}
