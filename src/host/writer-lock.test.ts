import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleScript } from "../testing/bundle.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { acquireWriterLock, releaseLockOfThread } from "./writer-lock.ts";

/** A process that takes the lock at argv[2], says how it went, and lives until its stdin closes. */
const program = `
import { acquireWriterLock } from "./writer-lock.ts";
const lock = await acquireWriterLock(process.argv[1]);
process.stdout.write(lock === null ? "null" : "held");
process.stdin.resume().on("end", () => process.exit());
`;

let script = "";

beforeAll(async () => {
  script = await bundleScript(program, import.meta.dirname);
});

async function contender(path: string): Promise<{ process: ChildProcess; says: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [chunk] = await once(child.stdout, "data");
  return { process: child, says: String(chunk) };
}

async function end(child: ChildProcess, how: "kill" | "exit"): Promise<void> {
  const ended = once(child, "exit");
  if (how === "kill") child.kill("SIGKILL");
  else child.stdin?.end();
  await ended;
}

describe("acquireWriterLock", () => {
  it("is held by one at a time, in this process too", async () => {
    const path = join(tempFolder(), "lock");
    const first = await acquireWriterLock(path);
    expect(first).not.toBe(null);
    expect(await acquireWriterLock(path)).toBe(null);
    await first?.release();
    await first?.release();
    const second = await acquireWriterLock(path);
    expect(second).not.toBe(null);
    // A release that comes late does not take the lock from who holds it now.
    await second?.release();
    expect(existsSync(path)).toBe(false);
  });

  it("is refused while another process lives, and taken over when that died", async () => {
    const path = join(tempFolder(), "lock");
    const other = await contender(path);
    expect(other.says).toBe("held");
    expect(await acquireWriterLock(path)).toBe(null);
    await end(other.process, "kill");
    const lock = await acquireWriterLock(path);
    expect(lock).not.toBe(null);
    const late = await contender(path);
    expect(late.says).toBe("null");
    await end(late.process, "exit");
    await lock?.release();
  });

  it("goes to one of many that want it at once", async () => {
    const folder = tempFolder();
    const path = join(folder, "lock");
    const winners = [];
    for (let round = 0; round < 40; round++) {
      // A stale one lies there, so that all of them try to take it over.
      writeFileSync(path, "half a lo");
      const locks = await Promise.all(Array.from({ length: 12 }, () => acquireWriterLock(path)));
      winners.push(locks.filter((lock) => lock !== null).length);
    }
    expect(winners).toEqual(Array.from({ length: 40 }, () => 1));
    expect(readdirSync(folder)).toEqual(["lock"]);
  });

  it("is taken over though the process that was at it died in between", async () => {
    const path = join(tempFolder(), "lock");
    writeFileSync(path, "half a lo");
    writeFileSync(`${path}.takeover`, "");
    expect(await acquireWriterLock(path)).toBe(null);
    utimesSync(`${path}.takeover`, 1, 1);
    // The first to come finds the marker old and clears it away, the next takes over.
    expect(await acquireWriterLock(path)).toBe(null);
    expect(await acquireWriterLock(path)).not.toBe(null);
  });

  it("does not take a used pid for the process that had it before", async () => {
    const path = join(tempFolder(), "lock");
    const lock = await acquireWriterLock(path);
    expect(lock).not.toBe(null);
    const stale = { pid: process.pid, host: hostname(), started: "1", thread: 0 };
    writeFileSync(path, JSON.stringify(stale));
    const isLinux = process.platform === "linux";
    expect((await acquireWriterLock(path)) !== null).toBe(isLinux);
  });

  it("believes a lock of another machine for an hour", async () => {
    const path = join(tempFolder(), "lock");
    writeFileSync(
      path,
      JSON.stringify({ pid: 1, host: "elsewhere.example", started: "", thread: 0 }),
    );
    expect(await acquireWriterLock(path)).toBe(null);
    utimesSync(path, 1, 1);
    expect(await acquireWriterLock(path)).not.toBe(null);
  });
});

describe("releaseLockOfThread", () => {
  it("gives back the lock of that thread only", async () => {
    const path = join(tempFolder(), "lock");
    await acquireWriterLock(path);
    await releaseLockOfThread(path, 99);
    expect(existsSync(path)).toBe(true);
    await releaseLockOfThread(path, 0);
    expect(existsSync(path)).toBe(false);
    await releaseLockOfThread(path, 0);
  });
});
