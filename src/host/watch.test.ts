import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bundleScript } from "../testing/bundle.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { systemClock } from "./clock.ts";
import { type WatchedChanges, WorkspaceWatch } from "./watch.ts";

const open: WorkspaceWatch[] = [];

afterEach(() => {
  for (const watching of open.splice(0)) watching.close();
});

/** Collects what is told until `isEnough` of it is there. */
class Told {
  readonly changed = new Set<string>();
  readonly removed = new Set<string>();
  rulesChanges = 0;
  #check: () => void = () => {};

  take(changes: WatchedChanges): void {
    for (const path of changes.changed) this.changed.add(path);
    for (const path of changes.removed) this.removed.add(path);
    if (changes.areRulesNew) this.rulesChanges++;
    this.#check();
  }

  until(isEnough: (told: Told) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (isEnough(this)) resolve();
      };
      this.#check();
    });
  }
}

async function watchFolder(
  root: string,
  without: readonly string[] = [],
): Promise<{ told: Told; watching: WorkspaceWatch }> {
  const told = new Told();
  const watching = new WorkspaceWatch({
    root,
    deny: [],
    without,
    clock: systemClock,
    onChanges: (changes) => told.take(changes),
    onProblem: (message) => {
      throw new Error(message);
    },
  });
  open.push(watching);
  await watching.start();
  return { told, watching };
}

describe("WorkspaceWatch", () => {
  it("tells of saved, new and removed files, and of none that is left out", async () => {
    const root = tempFolder({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".gitignore": "dist/\n*.log\n",
      "src/a.ts": "1",
      "src/old.ts": "1",
      "dist/a.js": "1",
      "state/x.ts": "",
    });
    const { told, watching } = await watchFolder(root, [join(root, "state")]);
    // The workspace and src: one watch per folder that counts.
    if (process.platform === "linux") expect(watching.watchCount).toBe(2);
    writeFiles(root, {
      "dist/a.js": "2",
      "x.log": "2",
      ".env": "2",
      "logo.png": "2",
      "state/x.ts": "2",
      "node_modules/p/index.js": "2",
    });
    symlinkSync("src/a.ts", join(root, "link.ts"));
    appendFileSync(join(root, "src/a.ts"), "2");
    writeFiles(root, { "src/new.ts": "2" });
    rmSync(join(root, "src/old.ts"));
    await told.until(({ changed, removed }) => changed.size >= 2 && removed.size >= 1);
    expect([...told.changed].sort()).toEqual(["src/a.ts", "src/new.ts"]);
    expect([...told.removed]).toEqual(["src/old.ts"]);
  });

  it("follows an editor that saves by renaming", async () => {
    const root = tempFolder({ "a.ts": "1" });
    const { told } = await watchFolder(root);
    writeFileSync(join(root, "a.ts.tmp~"), "2");
    renameSync(join(root, "a.ts.tmp~"), join(root, "a.ts"));
    await told.until(({ changed }) => changed.has("a.ts"));
    expect([...told.changed]).toEqual(["a.ts"]);
  });

  it("follows folders that come, move and go", async () => {
    const root = tempFolder({ "one/deep/a.ts": "1", "staged/inner/b.ts": "1" });
    const outside = tempFolder({ "tree/c.ts": "1", "tree/sub/d.ts": "1" });
    const { told, watching } = await watchFolder(root);
    renameSync(join(outside, "tree"), join(root, "tree"));
    await told.until(({ changed }) => changed.size === 2);
    expect([...told.changed].sort()).toEqual(["tree/c.ts", "tree/sub/d.ts"]);
    // The new folders are watched as well.
    writeFiles(root, { "tree/sub/e.ts": "1" });
    await told.until(({ changed }) => changed.has("tree/sub/e.ts"));
    renameSync(join(root, "one"), join(root, "two"));
    await told.until(({ changed, removed }) => removed.has("one") && changed.has("two/deep/a.ts"));
    writeFiles(root, { "two/deep/f.ts": "1" });
    await told.until(({ changed }) => changed.has("two/deep/f.ts"));
    rmSync(join(root, "staged"), { recursive: true });
    await told.until(({ removed }) => removed.has("staged"));
    if (process.platform === "linux") expect(watching.watchCount).toBe(5);
  });

  it("follows a folder that is replaced by another of the same name", async () => {
    const root = tempFolder({ "src/a.ts": "1" });
    const { told } = await watchFolder(root);
    rmSync(join(root, "src"), { recursive: true });
    writeFiles(root, { "src/b.ts": "1" });
    await told.until(({ changed }) => changed.has("src/b.ts"));
    writeFiles(root, { "src/c.ts": "1" });
    await told.until(({ changed }) => changed.has("src/c.ts"));
  });

  it("obeys ignore files as soon as they change", async () => {
    const root = tempFolder({ ".git/HEAD": "ref: refs/heads/main\n", "gen/a.ts": "1" });
    const { told, watching } = await watchFolder(root);
    writeFiles(root, { ".gitignore": "gen/\n" });
    await told.until(({ rulesChanges }) => rulesChanges === 1);
    writeFiles(root, { "gen/b.ts": "1", "c.ts": "1" });
    await told.until(({ changed }) => changed.has("c.ts"));
    expect(told.changed.has("gen/b.ts")).toBe(false);
    if (process.platform === "linux") expect(watching.watchCount).toBe(1);
    rmSync(join(root, ".gitignore"));
    await told.until(({ rulesChanges }) => rulesChanges === 2);
    writeFiles(root, { "gen/d.ts": "1" });
    await told.until(({ changed }) => changed.has("gen/d.ts"));
  });

  it("says nothing after it was closed and leaves no watch behind", async () => {
    const root = tempFolder({ "a/b.ts": "1" });
    const { told, watching } = await watchFolder(root);
    watching.close();
    watching.close();
    expect(watching.watchCount).toBe(0);
    mkdirSync(join(root, "c"));
    const other = await watchFolder(root);
    writeFiles(root, { "a/d.ts": "1" });
    await other.told.until(({ changed }) => changed.has("a/d.ts"));
    expect([...told.changed]).toEqual([]);
  });
});

it("can be closed while it starts", async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`d${i}/a.ts`, ""]));
  const watching = new WorkspaceWatch({
    root: tempFolder(files),
    deny: [],
    without: [],
    clock: systemClock,
    onChanges: () => {},
    onProblem: () => {},
  });
  const starting = watching.start();
  watching.close();
  await starting;
  expect(watching.watchCount).toBe(0);
});

/** Says what happens in a name space in which six folders can be watched and no more. */
const program = `
import { systemClock } from "./clock.ts";
import { WorkspaceWatch } from "./watch.ts";
const watching = new WorkspaceWatch({
  root: process.argv[1],
  deny: [],
  without: [],
  clock: systemClock,
  onChanges: () => {},
  onProblem: (message) => console.log(message),
});
await watching.start();
console.log(watching.watchCount);
`;

const isolate = ["-Ur", "sh", "-c", "echo 6 > /proc/sys/user/max_inotify_watches"];

if (spawnSync("unshare", isolate).status === 0) {
  describe("WorkspaceWatch without watches to take", () => {
    it("stops and says what a person can do", async () => {
      const folders = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}/a.ts`, ""]));
      const root = tempFolder(folders);
      const script = await bundleScript(program, import.meta.dirname);
      const command = `${isolate.at(-1)} && exec "$0" "$@"`;
      const { stdout } = spawnSync(
        "unshare",
        [
          ...isolate.slice(0, -1),
          command,
          process.execPath,
          "--input-type=module",
          "-e",
          script,
          root,
        ],
        { encoding: "utf8" },
      );
      expect(stdout.split("\n")).toEqual([
        "the system has no more file watches to give (ENOSPC); raise fs.inotify.max_user_watches (ENOSPC) or fs.inotify.max_user_instances (EMFILE)",
        "0",
        "",
      ]);
    });
  });
} else {
  console.info("not run: a full table of file watches needs Linux, unshare and user name spaces");
}
