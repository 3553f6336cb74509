/**
 * One writer at a time. The lock is a file with the writer's process in it; a lock of a process that is
 * gone is taken over. It spares double work and nothing more: files change by atomic rename, so even
 * two writers would leave a whole file.
 */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";
import { fileErrorCode } from "./file-error.ts";

/** A lock that this process holds. */
export interface WriterLock {
  /** Gives it back. Calling it twice does nothing more. */
  release(): Promise<void>;
}

/** Nobody on this machine can ask whether a process on another lives; an index takes minutes at most. */
const FOREIGN_LOCK_MAX_AGE_MS = 3_600_000;
const TAKE_OVER_MAX_AGE_MS = 60_000;

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process started, as the system counts; "" where it does not say. Pids are used again. */
  readonly started: string;
  /** A thread that is stopped cannot give its lock back; the main thread does it for it. */
  readonly thread: number;
}

/**
 * The lock, or `null` when another process, or this one, holds it. Throws what the file system throws
 * when the folder cannot be written.
 */
export async function acquireWriterLock(path: string): Promise<WriterLock | null> {
  const owner: Owner = {
    pid: process.pid,
    host: hostname(),
    started: await startOf(process.pid),
    thread: threadId,
  };
  const text = JSON.stringify(owner);
  if (await create(path, text)) return lockOf(path, text);
  const found = await readFile(path, "utf8").catch(() => null);
  if (found === null) return (await create(path, text)) ? lockOf(path, text) : null;
  if (await isHeld(path, found)) return null;
  return (await takeOver(path, found, text)) ? lockOf(path, text) : null;
}

/** Gives back the lock that a thread of this process took before it was stopped, if it took one. */
export async function releaseLockOfThread(path: string, thread: number): Promise<void> {
  const owner = parseOwner(await readFile(path, "utf8").catch(() => ""));
  const isOurs =
    owner?.pid === process.pid &&
    owner.host === hostname() &&
    owner.started === (await startOf(process.pid)) &&
    owner.thread === thread;
  if (isOurs) await rm(path, { force: true });
}

function lockOf(path: string, text: string): WriterLock {
  return {
    release: async () => {
      const found = await readFile(path, "utf8").catch(() => null);
      if (found === text) await rm(path, { force: true });
    },
  };
}

/** Makes the lock file; false when there is one. */
async function create(path: string, text: string): Promise<boolean> {
  // Written beside and linked into place, so that nobody reads half a lock.
  const own = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  const file = await open(own, "wx", 0o600);
  try {
    await file.writeFile(text);
    await link(own, path);
    return true;
  } catch (error) {
    if (fileErrorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await file.close();
    await rm(own, { force: true });
  }
}

async function isHeld(path: string, text: string): Promise<boolean> {
  const owner = parseOwner(text);
  if (owner === null) return false;
  if (owner.host !== hostname()) {
    const found = await stat(path).catch(() => null);
    return found !== null && Date.now() - found.mtimeMs < FOREIGN_LOCK_MAX_AGE_MS;
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if (fileErrorCode(error) === "ESRCH") return false;
  }
  return owner.started === (await startOf(owner.pid));
}

/**
 * Puts our lock in the place of a stale one; false when somebody else is at it or was faster. Only who
 * holds the marker beside it replaces a lock, after another look at it, and there is no moment without
 * one: a lock that was moved away first could be taken by two.
 */
async function takeOver(path: string, stale: string, text: string): Promise<boolean> {
  const marker = `${path}.takeover`;
  if (!(await create(marker, text))) {
    await removeAbandoned(marker);
    return false;
  }
  const own = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    if ((await readFile(path, "utf8").catch(() => null)) !== stale) return false;
    await writeFile(own, text, { flag: "wx", mode: 0o600 });
    await rename(own, path);
    return true;
  } finally {
    await rm(own, { force: true });
    await rm(marker, { force: true });
  }
}

/** A marker is held for a few file operations: an old one is of a process that died in between. */
async function removeAbandoned(marker: string): Promise<void> {
  const found = await stat(marker).catch(() => null);
  const isOld = found !== null && Date.now() - found.mtimeMs > TAKE_OVER_MAX_AGE_MS;
  if (isOld) await rm(marker, { force: true });
}

/** Field 22 of `/proc/PID/stat`, counted behind the name, which may hold anything. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function parseOwner(text: string): Owner | null {
  try {
    const value: unknown = JSON.parse(text);
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isInteger(value.pid) &&
    "host" in value &&
    typeof value.host === "string" &&
    "started" in value &&
    typeof value.started === "string" &&
    "thread" in value &&
    typeof value.thread === "number"
  );
}
