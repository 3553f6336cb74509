/** Workspaces that are not as they should be: slower at worst, never wrong and never a crash. */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { RepoIndex } from "../repo/index.ts";
import { createSyntax, type GrammarSource } from "../syntax/index.ts";
import { buildIndexWorker, buildSymbolWorker } from "../testing/bundle.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { systemClock } from "./clock.ts";
import { installedGrammars } from "./grammars.ts";
import { createLog } from "./log.ts";
import { SymbolTable, type WantedFile } from "./symbol-table.ts";
import { WorkspaceIndex } from "./workspace-index.ts";
import { WorkspaceSymbols } from "./workspace-symbols.ts";

const built = mkdtempSync(join(tmpdir(), "midspan-rough-"));
const cached = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
const workers = { index: "", symbols: "" };
const open: { close(): Promise<void> }[] = [];
const log = createLog({ level: "off" });
const quiet = { onParts: () => {}, onProgress: () => {}, pause: async () => {} };

beforeAll(async () => {
  workers.index = await buildIndexWorker(built);
  workers.symbols = await buildSymbolWorker(cached);
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => rmSync(built, { recursive: true }));

/** Index and symbols of a workspace, as the program puts them together. */
function follow(root: string, options: { readonly cacheFolder?: string } = {}): Followed {
  const { cacheFolder = null } = options;
  const limits = { maxFileBytes: 1_000_000, maxStateBytes: 1_000_000_000 };
  const index = new WorkspaceIndex({
    ...{ root, cacheFolder, ...limits, deny: [], maxFiles: 20_000, maxTotalBytes: 100_000_000 },
    ...{ workerFile: workers.index, isWatched: true, clock: systemClock, log },
  });
  const symbols = new WorkspaceSymbols({
    ...{ root, cacheFolder, ...limits, workerFile: workers.symbols, log },
  });
  open.push(index, symbols);
  return new Followed(index, symbols);
}

class Followed {
  readonly index: WorkspaceIndex;
  readonly symbols: WorkspaceSymbols;
  known = new RepoIndex([]);
  walks = 0;
  changes = 0;
  #check: () => void = () => {};

  constructor(index: WorkspaceIndex, symbols: WorkspaceSymbols) {
    this.index = index;
    this.symbols = symbols;
    symbols.onIndex((next) => {
      this.known = next;
      this.#check();
    });
    index.onFiles((files) => {
      this.walks++;
      void symbols.sync(files).then(() => this.#check());
    });
    index.onFileChanged(({ path, text }) => {
      this.changes++;
      void symbols.change(path, text);
    });
  }

  /** Resolves when what `ask` says is true, which is tried at each new state of the symbols. */
  until(ask: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (ask()) resolve();
      };
      this.#check();
    });
  }
}

function wanted(path: string): WantedFile {
  return { path, sizeBytes: 1, modifiedMs: 0, isNamesOnly: false };
}

function indexOf({ parts }: SymbolTable): RepoIndex {
  if (parts.base === null) throw new Error("all parts were asked for");
  return new RepoIndex([{ index: parts.base, hidden: new Set(parts.hidden) }]);
}

/** Files of a branch, each with one definition that names the branch. */
function branch(name: string, count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, i) => i);
  return Object.fromEntries(
    numbers.map((i) => [`d${i % 50}/f${i}.ts`, `export const ${name}${i} = ${i};\n`]),
  );
}

it("of a branch switch that changes 5,000 files each is parsed once, and nothing old is left", async () => {
  const before = branch("main", 5_000);
  const root = tempFolder(before);
  const syntax = createSyntax({ source: installedGrammars, now: () => 0 });
  const table = new SymbolTable({ root, syntax, maxFileBytes: 100_000, stored: null });
  const all = Object.keys(before);
  await table.sync(all.map(wanted), quiet);
  writeFiles(root, branch("topic", 5_000));
  const left = all.filter((path) => !path.startsWith("d7/"));
  const switched = left.map((path) => ({ ...wanted(path), modifiedMs: 1 }));
  expect(await table.sync(switched, quiet)).toMatchObject({ files: 4_900, parsedFiles: 4_900 });
  const index = indexOf(table);
  const names = (prefix: string): number =>
    all.filter((_, i) => index.definitions(`${prefix}${i}`).length > 0).length;
  expect([index.size, names("main"), names("topic")]).toEqual([4_900, 0, 4_900]);
}, 120_000);

it("a branch switch under a running watch is taken in by a few walks, not file by file", async () => {
  const count = 400;
  const root = tempFolder(branch("main", count));
  const followed = follow(root);
  await followed.index.start();
  await followed.until(() => followed.known.definitions(`main${count - 1}`).length === 1);
  writeFiles(root, branch("topic", count));
  rmSync(join(root, "d7"), { recursive: true });
  const has = (name: string): boolean => followed.known.definitions(name).length === 1;
  const numbers = Array.from({ length: count }, (_, i) => i);
  await followed.until(
    () =>
      followed.known.size === count - 8 &&
      numbers.every((i) => has(`topic${i}`) === (i % 50 !== 7) && !has(`main${i}`)),
  );
  // A tenth of the files, and one: then a walk takes the rest.
  expect(followed.changes).toBeLessThanOrEqual(41 * (followed.walks + 1));
}, 120_000);

/** In one step, since threads write into it; the copy goes away with the test's folders. */
function moveAway(folder: string): void {
  if (existsSync(folder)) renameSync(folder, join(tempFolder(), "moved"));
}

it("an index that is deleted while it is built or in use is made anew", async () => {
  const texts = Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, `export const name${i} = 1;\n`]);
  const root = tempFolder(Object.fromEntries(texts));
  const cacheFolder = tempFolder();
  const first = follow(root, { cacheFolder });
  first.index.onFiles(() => moveAway(cacheFolder));
  await first.index.start();
  await first.until(() => first.known.definitions("name299").length === 1);
  moveAway(cacheFolder);
  writeFiles(root, { "f0.ts": "export const renamed = 1;\n" });
  await first.until(() => first.known.definitions("renamed").length === 1);
  await Promise.all([first.index.close(), first.symbols.close()]);
  const second = follow(root, { cacheFolder });
  expect(await second.index.start()).toMatchObject({ files: 300, stored: "written" });
  await second.until(() => second.known.size === 300);
}, 120_000);

it("a grammar that does not load leaves the words of a file to be found", async () => {
  const root = tempFolder({ "a.ts": "export function measureDistance(): void {}\n" });
  const broken: GrammarSource = {
    loadRuntime: (version) => installedGrammars.loadRuntime(version),
    loadGrammar: async () => Uint8Array.of(0, 97, 115, 109, 9, 9, 9, 9),
  };
  const syntax = createSyntax({ source: broken, now: () => 0 });
  const table = new SymbolTable({ root, syntax, maxFileBytes: 100_000, stored: null });
  await table.sync([wanted("a.ts")], quiet);
  const index = indexOf(table);
  expect(index.definitions("measureDistance")).toEqual([]);
  expect(index.fileCount("measureDistance")).toBe(1);
  const query = { count: 3, isWanted: () => true };
  expect(index.search(new Map([["distance", 1]]), query)).toHaveLength(1);
});

it("broken UTF-8 and mixed line ends leave definitions on their lines", async () => {
  const text = Buffer.from(
    "// caf\u00e9 a\r\n// b\n\r\nexport function alpha() {}\nconst s = '?';\r\n",
  );
  const root = tempFolder({ "a.ts": text.map((byte) => (byte === 63 ? 0xff : byte)) });
  const syntax = createSyntax({ source: installedGrammars, now: () => 0 });
  const table = new SymbolTable({ root, syntax, maxFileBytes: 100_000, stored: null });
  await table.sync([wanted("a.ts")], quiet);
  const index = indexOf(table);
  expect(index.definitions("alpha")).toMatchObject([{ line: 3 }]);
});
