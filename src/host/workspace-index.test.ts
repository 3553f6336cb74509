import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { LocalModel } from "../local/index.ts";
import { buildIndexWorker } from "../testing/bundle.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { systemClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { WorkspaceIndex, type WorkspaceIndexOptions } from "./workspace-index.ts";
import { workspaceStateFolder } from "./workspace-state.ts";

const built = mkdtempSync(join(tmpdir(), "midspan-worker-"));
const open: WorkspaceIndex[] = [];
let workerFile = "";

beforeAll(async () => {
  workerFile = await buildIndexWorker(built);
});

afterAll(() => rmSync(built, { recursive: true }));

afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
});

/** An index with a model that follows it, as the program puts them together. */
class Followed {
  readonly index: WorkspaceIndex;
  readonly model = new LocalModel();
  readonly wholes: boolean[] = [];
  readonly warnings: (string | null)[] = [];
  progressCount = 0;
  #check: () => void = () => {};

  constructor(root: string, options: Partial<WorkspaceIndexOptions> = {}) {
    this.index = new WorkspaceIndex({
      root,
      cacheFolder: null,
      deny: [],
      maxFiles: 1000,
      maxFileBytes: 1_000_000,
      maxTotalBytes: 10_000_000,
      maxStateBytes: 1_000_000_000,
      workerFile,
      isWatched: false,
      clock: systemClock,
      log: createLog({ level: "off" }),
      ...options,
    });
    open.push(this.index);
    this.index.onIndex(({ index, isWhole }) => {
      this.model.adopt(index);
      this.wholes.push(isWhole);
      this.#check();
    });
    this.index.onFileChanged(({ path, text }) => {
      if (text === null) this.model.removeFile(path);
      else this.model.updateFile(path, text);
      this.#check();
    });
    this.index.onWarning(({ code }) => void this.warnings.push(code));
    this.index.onProgress(() => void this.progressCount++);
  }

  /** Resolves when what `ask` says is true, which is tried at each event. */
  until(ask: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (ask()) resolve();
      };
      this.#check();
    });
  }

  /** What the model says behind the text. */
  completes(text: string): string | undefined {
    const document = TextBuffer.from(text);
    const query = { document, offset: text.length, path: null, languageId: "typescript" };
    return this.model.complete({ ...query, maxLines: 1, maxCandidates: 1 })[0]?.text;
  }
}

const code = `export function measureDistance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}
`;

describe("WorkspaceIndex", () => {
  it("teaches a model, and lexes no unchanged file on the second start", async () => {
    const root = tempFolder({ "a.ts": code, "b.ts": code.replaceAll("measure", "compute") });
    const cacheFolder = tempFolder();
    const first = new Followed(root, { cacheFolder });
    expect(await first.index.start()).toMatchObject({ files: 2, lexedFiles: 2, stored: "written" });
    expect(first.completes("  return Math.hypot(to.x -")).toBe(" from.x, to.y - from.y);");
    expect(first.progressCount).toBeGreaterThan(0);

    const second = new Followed(root, { cacheFolder });
    const report = await second.index.start();
    expect(report).toMatchObject({ files: 2, lexedFiles: 0, reusedFiles: 2, stored: "unchanged" });
    expect(second.wholes).toEqual([false, true]);
    expect(second.completes("  return Math.hypot(to.x -")).toBe(" from.x, to.y - from.y);");
    expect(second.warnings).toEqual([]);
  });

  it("says what does not work, and stores again what somebody removed", async () => {
    const root = tempFolder({ "a.ts": code });
    const cacheFolder = tempFolder();
    const clock = new FakeClock();
    const { index } = new Followed(root, { cacheFolder, clock, isWatched: true });
    await index.start();
    expect(index.problem).toBeNull();
    const folder = workspaceStateFolder(cacheFolder, root);
    rmSync(folder, { recursive: true });
    expect(index.problem).toMatchObject({ code: "INDEX_CORRUPT" });
    clock.advanceSync(60_000);
    expect(index.isRunning).toBe(true);
    await index.rebuild();
    expect([index.problem, existsSync(join(folder, "index.bin"))]).toEqual([null, true]);
    rmSync(cacheFolder, { recursive: true });
    writeFileSync(cacheFolder, "a file in the way");
    await index.rebuild();
    expect(index.problem).toMatchObject({ code: "STORAGE_UNWRITABLE" });
    rmSync(cacheFolder);
    await index.rebuild();
    expect(index.problem).toBeNull();
    rmSync(root, { recursive: true });
    expect(index.problem).toMatchObject({
      code: "WORKSPACE_UNREADABLE",
      message: `the workspace ${root} is gone; what was known of it still answers`,
    });
  });

  it("hands indexes over in shared memory", async () => {
    const root = tempFolder({ "a.ts": code });
    const cacheFolder = tempFolder();
    const buffers: string[] = [];
    for (let start = 0; start < 2; start++) {
      const { index } = new Followed(root, { cacheFolder });
      index.onIndex((update) => void buffers.push(update.index.tokens.buffer.constructor.name));
      await index.start();
    }
    expect(buffers).toEqual(Array.from({ length: 3 }, () => "SharedArrayBuffer"));
  });

  if (process.platform === "linux") {
    it("works at low priority and leaves that of other threads alone", async () => {
      const ownPriority = getPriority();
      // Enough that the thread is still at work when its last step is told.
      const texts = Array.from({ length: 40 }, (_, i) => [
        `f${i}.ts`,
        code.replaceAll("measure", `m${i}`).repeat(60),
      ]);
      const { index } = new Followed(tempFolder(Object.fromEntries(texts)));
      const seen: number[][] = [];
      index.onProgress(() => void seen.push(nicenessOfThreads()));
      await index.start();
      expect(seen.some((threads) => threads.includes(Math.max(10, ownPriority)))).toBe(true);
      expect(getPriority()).toBe(ownPriority);
    });
  }

  it("follows saved files, and renews the index when enough of them came", async () => {
    const root = tempFolder({ "a.ts": code });
    const followed = new Followed(root, { isWatched: true });
    await followed.index.start();
    writeFileSync(join(root, "b.ts"), "const zebraStripes = countStripes(zebra);\n");
    await followed.until(() => followed.completes("const zebraStripes =") !== undefined);
    expect(followed.completes("const zebraStripes =")).toBe(" countStripes(zebra);");
    rmSync(join(root, "b.ts"));
    await followed.until(() => followed.completes("const zebraStripes =") === undefined);
    const many = Array.from({ length: 30 }, (_, i) => [`many/${i}.ts`, `let value${i} = ${i};\n`]);
    writeFiles(root, Object.fromEntries(many));
    const isRenewed = (): boolean =>
      followed.model.stats().files === 31 && followed.model.deltaFiles === 0;
    await followed.until(isRenewed);
    while (followed.index.isRunning) await followed.index.rebuild();
    expect(await followed.index.rebuild()).toMatchObject({ files: 31, lexedFiles: 0 });
  });

  it("looks again when an ignore file changes", async () => {
    const root = tempFolder({
      ".git/HEAD": "ref: refs/heads/main\n",
      "gen/a.ts": "const zebraStripes = countStripes(zebra);\n",
    });
    const followed = new Followed(root, { isWatched: true });
    await followed.index.start();
    writeFiles(root, { ".gitignore": "gen/\n" });
    await followed.until(() => followed.completes("const zebraStripes =") === undefined);
  });

  it("forgets the files of a folder that is gone", async () => {
    const root = tempFolder({
      "old/deep/a.ts": "const zebraStripes = countStripes(zebra);\n",
      "b.ts": "",
    });
    const followed = new Followed(root, { isWatched: true });
    await followed.index.start();
    rmSync(join(root, "old"), { recursive: true });
    await followed.until(() => followed.completes("const zebraStripes =") === undefined);
  });

  it("gives the lock back when it is closed in the middle of a run", async () => {
    const line = "export const value = compute(other, another);\n";
    const files = Array.from({ length: 40 }, (_, i) => [`${i}.ts`, line.repeat(4000)]);
    const root = tempFolder(Object.fromEntries(files));
    const cacheFolder = tempFolder();
    const lock = join(workspaceStateFolder(cacheFolder, root), "lock");
    const { index } = new Followed(root, { cacheFolder });
    const started = index.start();
    started.catch(() => {});
    await new Promise<void>((resolve) => index.onProgress(() => resolve()));
    expect(existsSync(lock)).toBe(true);
    await index.close();
    await expect(started).rejects.toMatchObject({ code: "INTERNAL" });
    expect(existsSync(lock)).toBe(false);
    expect(index.isRunning).toBe(false);
  });

  it("names what it cannot do", async () => {
    const missing = new Followed(join(tempFolder(), "none")).index;
    await expect(missing.start()).rejects.toMatchObject({ code: "WORKSPACE_UNREADABLE" });
    const broken = new Followed(tempFolder(), { workerFile: join(built, "none.mjs") }).index;
    await expect(broken.start()).rejects.toMatchObject({ code: "INTERNAL" });
  });
});

/** Field 19 of each thread's `stat`, counted behind the name. */
function nicenessOfThreads(): number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[16]);
  });
}
