import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { writeFileAtomically } from "./atomic-write.ts";
import { stateFolders } from "./state-folders.ts";
import {
  clearWorkspaceState,
  evictWorkspaces,
  openWorkspaceState,
  workspaceStateFolder,
} from "./workspace-state.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("stateFolders", () => {
  it("takes MIDSPAN_HOME, or the folders of the platform", () => {
    const at = (
      platform: NodeJS.Platform,
      environment: Record<string, string>,
    ): readonly string[] =>
      Object.values(stateFolders({ environment, platform, homeFolder: "/me" }));
    expect(at("linux", { MIDSPAN_HOME: "/state" })).toEqual([
      "/state/cache",
      "/state/data",
      "/state/midspan.toml",
    ]);
    expect(at("linux", {})).toEqual([
      "/me/.cache/midspan",
      "/me/.local/share/midspan",
      "/me/.config/midspan/midspan.toml",
    ]);
    expect(at("linux", { XDG_CACHE_HOME: "/fast", XDG_DATA_HOME: "relative" })).toEqual([
      "/fast/midspan",
      "/me/.local/share/midspan",
      "/me/.config/midspan/midspan.toml",
    ]);
    expect(at("darwin", {})).toEqual([
      "/me/Library/Caches/midspan",
      "/me/Library/Application Support/midspan",
      "/me/Library/Application Support/midspan/midspan.toml",
    ]);
    expect(at("win32", { LOCALAPPDATA: "/local", APPDATA: "/roaming" })).toEqual([
      "/local/midspan/cache",
      "/local/midspan/data",
      "/roaming/midspan/midspan.toml",
    ]);
  });
});

describe("the state of a workspace", () => {
  it("has a folder of its own that says whose it is", async () => {
    const cache = join(tempFolder(), "cache");
    const folder = await openWorkspaceState(cache, "/code/my app");
    expect(folder).toBe(workspaceStateFolder(cache, "/code/my app"));
    expect(folder).toMatch(/\/cache\/workspaces-v1\/my_app-[0-9a-f]{16}$/);
    expect(folder).not.toBe(workspaceStateFolder(cache, "/other/my app"));
    expect(JSON.parse(readFileSync(join(folder, "workspace.json"), "utf8"))).toEqual({
      root: "/code/my app",
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await clearWorkspaceState(cache, "/code/my app");
    await clearWorkspaceState(cache, "/code/my app");
    expect(existsSync(folder)).toBe(false);
  });

  it("makes room by removing what was used longest ago, older formats too", async () => {
    const cache = tempFolder();
    writeFiles(cache, { "workspaces-v0/old-1/index.bin": "x".repeat(50), "models/m.gguf": "y" });
    const folders: string[] = [];
    for (const [index, name] of ["/a", "/b", "/c"].entries()) {
      const folder = await openWorkspaceState(cache, name);
      writeFiles(folder, { "index.bin": "x".repeat(100) });
      utimesSync(join(folder, "workspace.json"), 1000 + index, 1000 + index);
      folders.push(folder);
    }
    // Used again: now the newest.
    await openWorkspaceState(cache, "/a");
    const keep = folders[1] ?? "";
    expect(await evictWorkspaces(cache, { maxBytes: 10_000, keep })).toBe(0);
    expect(await evictWorkspaces(cache, { maxBytes: 350, keep })).toBe(1);
    expect(readdirSync(join(cache, "workspaces-v0"))).toEqual([]);
    expect(await evictWorkspaces(cache, { maxBytes: 250, keep })).toBe(1);
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, true, false]);
    expect(await evictWorkspaces(cache, { maxBytes: 0, keep })).toBe(1);
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, false]);
    expect(existsSync(join(cache, "models", "m.gguf"))).toBe(true);
  });
});

describe("writeFileAtomically", () => {
  it("replaces the whole file, readable by its owner only", async () => {
    const folder = tempFolder({ "index.bin": "old and longer" });
    const file = join(folder, "index.bin");
    const shared = new Uint8Array(new SharedArrayBuffer(3)).fill(0x62);
    await writeFileAtomically(file, [bytes("a"), shared, bytes("")]);
    expect(readFileSync(file, "utf8")).toBe("abbb");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["index.bin"]);
  });

  it("keeps the old file when the disk is full", async () => {
    const folder = tempFolder({ "index.bin": "old" });
    const file = join(folder, "index.bin");
    const writing = writeFileAtomically(file, [bytes("new")], () => open("/dev/full", "w"));
    await expect(writing).rejects.toMatchObject({
      code: "STORAGE_FULL",
      message: `cannot write ${file}: no space is left (ENOSPC); make room there, or choose another place`,
    });
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["index.bin"]);
  });

  it("says that a place cannot be written", async () => {
    const folder = tempFolder({ file: "" });
    await expect(writeFileAtomically(join(folder, "file", "x"), [])).rejects.toMatchObject({
      code: "STORAGE_UNWRITABLE",
    });
    // A file system of the kernel that not even root can write.
    await expect(writeFileAtomically("/proc/midspan", [])).rejects.toMatchObject({
      code: "STORAGE_UNWRITABLE",
    });
  });
});
