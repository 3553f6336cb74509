import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { RepoIndex } from "../repo/index.ts";
import { createSyntax } from "../syntax/index.ts";
import { buildSymbolWorker } from "../testing/bundle.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { findDeclarations } from "./declaration-files.ts";
import { FolderRules } from "./folder-rules.ts";
import { installedGrammars } from "./grammars.ts";
import { createLog } from "./log.ts";
import { ShownPaths } from "./shown-paths.ts";
import {
  type SymbolListener,
  type SymbolParts,
  SymbolTable,
  type WantedFile,
} from "./symbol-table.ts";
import { realFolder } from "./workspace-path.ts";
import { WorkspaceSymbols } from "./workspace-symbols.ts";
import { WorkspaceTexts } from "./workspace-texts.ts";

const quiet: SymbolListener = { onParts: () => {}, onProgress: () => {}, pause: async () => {} };

function wanted(root: string, ...paths: readonly string[]): WantedFile[] {
  return paths.map((path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return {
      path,
      sizeBytes: size,
      modifiedMs: mtimeMs,
      isNamesOnly: path.startsWith("node_modules"),
    };
  });
}

function tableOf(root: string): SymbolTable {
  const syntax = createSyntax({ source: installedGrammars, now: () => 0 });
  return new SymbolTable({ root, syntax, maxFileBytes: 100_000, stored: null });
}

function indexOf({ base, hidden, delta }: SymbolParts): RepoIndex {
  return new RepoIndex([
    ...(base === null ? [] : [{ index: base, hidden: new Set(hidden) }]),
    ...(delta === null ? [] : [{ index: delta, hidden: new Set<number>() }]),
  ]);
}

const files = {
  "a.ts": "export function alpha(): void {}\n",
  "b.py": "def beta(x):\n    return x\n",
  "c.ts": "alpha();\n",
  "broken.ts": "export function half( {{{{ \n class",
  "bytes.ts": Uint8Array.of(0xff, 0xfe, 0x00, 0x01, 0x00),
};

describe("SymbolTable", () => {
  it("parses what changed and nothing else, by the text and not by the time", async () => {
    const root = tempFolder(files);
    const table = tableOf(root);
    const all = (): WantedFile[] => wanted(root, ...Object.keys(files));
    const first = await table.sync(all(), quiet);
    expect(first).toMatchObject({ files: 5, isChanged: true });
    expect(await table.sync(all(), quiet)).toMatchObject({ parsedFiles: 0, isChanged: false });
    const later = all().map((file) => ({ ...file, modifiedMs: file.modifiedMs + 1 }));
    expect(await table.sync(later, quiet)).toMatchObject({ parsedFiles: 0, isChanged: true });
    writeFiles(root, { "b.py": "def gamma(x):\n    return x\n" });
    expect(await table.sync(all(), quiet)).toMatchObject({ parsedFiles: 1 });
    const index = indexOf(table.parts);
    expect(index.definitions("gamma")).toHaveLength(1);
    expect(index.definitions("beta")).toEqual([]);
    rmSync(join(root, "b.py"));
    await table.sync(wanted(root, "a.ts"), quiet);
    expect(indexOf(table.parts).size).toBe(1);
  });

  it("takes a saved file over the old one, and one that is gone out", async () => {
    const root = tempFolder(files);
    const table = tableOf(root);
    await table.sync(wanted(root, "a.ts", "c.ts"), quiet);
    await table.change("a.ts", "export function omega(): void {}\n");
    expect(indexOf(table.parts).definitions("alpha")).toEqual([]);
    expect(indexOf(table.parts).definitions("omega")).toHaveLength(1);
    await table.change("a.ts", null);
    expect(indexOf(table.parts).file("a.ts")).toBeNull();
    expect(indexOf(table.parts).size).toBe(1);
    // The next look through the workspace reads it again and finds it as it was.
    await table.sync(wanted(root, "a.ts", "c.ts"), quiet);
    expect(indexOf(table.parts).definitions("alpha")).toHaveLength(1);
  });

  it("goes on where files vanish under it", async () => {
    const root = tempFolder(files);
    const all = wanted(root, "a.ts", "c.ts");
    rmSync(join(root, "c.ts"));
    const table = tableOf(root);
    await table.sync(all, quiet);
    expect(indexOf(table.parts).definitions("alpha")).toHaveLength(1);
  });
});

describe("WorkspaceSymbols", () => {
  const place = { workerFile: "" };
  beforeAll(async () => {
    place.workerFile = await buildSymbolWorker(
      join(import.meta.dirname, "..", "..", "node_modules", ".cache"),
    );
  });

  function open(root: string, cacheFolder: string): WorkspaceSymbols {
    const limits = { maxFileBytes: 100_000, maxStateBytes: 1_000_000_000 };
    const log = createLog({ level: "error" });
    return new WorkspaceSymbols({ ...place, root, cacheFolder, ...limits, log });
  }

  it("stores what it knows, and the next start knows it without parsing; a lost store is made anew", async () => {
    const root = tempFolder(files);
    const cache = tempFolder();
    const paths = wanted(root, "a.ts", "b.py", "c.ts");
    for (const expected of [3, 0, 3]) {
      const symbols = open(root, cache);
      let index = new RepoIndex([]);
      symbols.onIndex((next) => {
        index = next;
      });
      try {
        expect(await symbols.sync(paths)).toMatchObject({ files: 3, parsedFiles: expected });
        expect(index.definitions("alpha")).toHaveLength(1);
        await symbols.change("c.ts", "export const delta = 1;\n");
        expect(index.definitions("delta")).toHaveLength(1);
        if (expected === 0) rmSync(cache, { recursive: true });
      } finally {
        await symbols.close();
      }
      expect(await symbols.sync(paths)).toBeNull();
    }
  });
});

describe("what may be shown", () => {
  it("is what the rules let in, once they were read; never what lies outside", async () => {
    const root = await realFolder(
      tempFolder({ ".gitignore": "out/\n", "src/a.ts": "", "out/b.ts": "", ".git/HEAD": "x" }),
    );
    let reads = 0;
    const shown = new ShownPaths({
      rules: () => {
        reads++;
        return FolderRules.atRoot(root, { deny: ["*.key"] });
      },
      isIndexed: (path) => path === "known.ts",
    });
    const paths = [
      "known.ts",
      "src/a.ts",
      "out/b.ts",
      "x.key",
      "../c.ts",
      "/etc/passwd",
      "C:\\d",
      ".env",
    ];
    expect(paths.filter((path) => shown.mayShow(path))).toEqual(["known.ts"]);
    // The answers are found one after the other; the last one asked is the last one known.
    while (!shown.mayShow("src/a.ts")) await new Promise((resolve) => setImmediate(resolve));
    expect(paths.filter((path) => shown.mayShow(path))).toEqual(["known.ts", "src/a.ts"]);
    expect(reads).toBe(1);
  });

  it("is a text as long as it is the one that was indexed", async () => {
    const root = tempFolder({ "a.ts": "old\n" });
    const texts = new WorkspaceTexts({ root, maxFileBytes: 1_000 });
    const file = {
      path: "a.ts",
      hash: "other",
      sizeBytes: 4,
      modifiedMs: 0,
      languageId: "typescript",
      isNamesOnly: false,
    };
    expect(texts.textOf(file)).toBeNull();
    await texts.load(file);
    expect(texts.textOf(file)).toBe("");
  });
});

describe("declarations of dependencies", () => {
  it("are those that manifests name, and what these pass on", async () => {
    const root = tempFolder({
      "package.json": '{ "dependencies": { "one": "1", "two": "1", "../evil": "1" } }',
      "node_modules/one/package.json": '{ "types": "./types/main.d.ts" }',
      "node_modules/one/types/main.d.ts": 'export * from "./more.js";\n',
      "node_modules/one/types/more.d.ts": "export declare const more: 1;\n",
      "node_modules/@types/two/index.d.ts": "export declare const two: 2;\n",
      "node_modules/three/index.d.ts": "export declare const three: 3;\n",
    });
    const found = await findDeclarations(root, ["package.json"]);
    expect(found.map(({ path }) => path)).toEqual([
      "node_modules/one/types/main.d.ts",
      "node_modules/one/types/more.d.ts",
      "node_modules/@types/two/index.d.ts",
    ]);
  });
});
