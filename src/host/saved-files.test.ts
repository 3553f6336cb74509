import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { type FileChange, SavedFiles } from "./saved-files.ts";
import type { WatchedChanges } from "./watch.ts";

const nothing: WatchedChanges = { changed: [], removed: [], areRulesNew: false };

async function told(
  saved: SavedFiles,
  changes: Partial<WatchedChanges>,
  indexed: readonly string[] = [],
): Promise<FileChange[]> {
  const files = indexed.map((path) => ({ path }));
  const all: FileChange[] = [];
  for await (const change of saved.changesOf({ ...nothing, ...changes }, files)) all.push(change);
  return all;
}

describe("SavedFiles", () => {
  it("tells texts, and that a file is one no longer", async () => {
    const root = tempFolder({ "a.ts": "\uFEFFa", "b.ts": "a\0b", "c.ts": "x".repeat(11) });
    const saved = new SavedFiles(root, { deny: [], maxFileBytes: 10 });
    const changed = ["a.ts", "b.ts", "c.ts", "gone.ts"];
    expect(await told(saved, { changed, removed: ["d.ts"] })).toEqual([
      { path: "d.ts", text: null },
      { path: "a.ts", text: "a" },
      { path: "b.ts", text: null },
      { path: "c.ts", text: null },
      { path: "gone.ts", text: null },
    ]);
  });

  it("waits for no pipe and follows no link", async () => {
    const root = tempFolder({ "real.ts": "a" });
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    symlinkSync("real.ts", join(root, "link.ts"));
    const saved = new SavedFiles(root, { deny: [], maxFileBytes: 10 });
    expect(await told(saved, { changed: ["pipe.ts", "link.ts"] })).toEqual([
      { path: "pipe.ts", text: null },
      { path: "link.ts", text: null },
    ]);
  });

  it("takes back every file of a folder that is gone, indexed or only told", async () => {
    const root = tempFolder({ "old/new.ts": "a", "older.ts": "b" });
    const saved = new SavedFiles(root, { deny: [], maxFileBytes: 10 });
    await told(saved, { changed: ["old/new.ts", "older.ts"] });
    rmSync(join(root, "old"), { recursive: true });
    const indexed = ["old/deep/a.ts", "older.ts"];
    expect(await told(saved, { removed: ["old"] }, indexed)).toEqual([
      { path: "old", text: null },
      { path: "old/deep/a.ts", text: null },
      { path: "old/new.ts", text: null },
    ]);
  });

  it("takes back what an ignore file now leaves out", async () => {
    const root = tempFolder({ "gen/a.ts": "a", "b.ts": "b" });
    const saved = new SavedFiles(root, { deny: [], maxFileBytes: 10 });
    await told(saved, { changed: ["gen/a.ts", "b.ts"] });
    writeFiles(root, { ".midspanignore": "gen/\n" });
    expect(await told(saved, { areRulesNew: true })).toEqual([{ path: "gen/a.ts", text: null }]);
  });
});
