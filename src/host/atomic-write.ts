import { randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { storageError } from "../core/index.ts";

/**
 * Replaces a file in one step: who reads it sees the old bytes or the new ones, also after a crash.
 * Readable by the owner only. Throws as `storageError` when it cannot be written, and leaves
 * nothing behind. `openNew` is for tests.
 */
export async function writeFileAtomically(
  path: string,
  chunks: readonly Uint8Array[],
  openNew: (path: string) => Promise<FileHandle> = (path) => open(path, "wx", 0o600),
): Promise<void> {
  const unfinished = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await openNew(unfinished);
    try {
      for (const chunk of chunks) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw storageError(path, error);
  }
  await syncFolder(dirname(path));
}

/** Removes what a writer of this file left behind when it died. Call it while nobody else can write. */
export async function removeUnfinished(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    const isOurs = name.startsWith(`${basename(path)}.`) && name.endsWith(".tmp");
    if (isOurs) await rm(join(folder, name), { force: true });
  }
}

/** Makes a rename last through a power cut. Not every system lets a folder be opened for that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => {});
  await handle.close();
}
