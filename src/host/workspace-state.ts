/**
 * The folder in which Midspan keeps what it knows of one workspace. It lies in the cache of the
 * platform, named by a hash of the workspace's real path, never in the workspace.
 */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { CompletionError, storageError } from "../core/index.ts";
import { writeFileAtomically } from "./atomic-write.ts";
import { isMissing } from "./file-error.ts";

/** Raise it when what lies in the folders changes its meaning; older folders then age out. */
const FORMAT_VERSION = 1;

/** A note for people who look into the folder; its time of change says when it was last used. */
const noteName = "workspace.json";

/** Where the state of a workspace lies; nothing is created. `root` is a real path. */
export function workspaceStateFolder(cacheFolder: string, root: string): string {
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const readable = basename(root)
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .slice(0, 40);
  return join(cacheFolder, workspacesName, `${readable}-${hash}`);
}

const workspacesName = `workspaces-v${FORMAT_VERSION}`;

/**
 * Makes the folder where it is missing and notes that it was used now. Throws as `storageError` when it
 * cannot be written; the product then goes on without.
 */
export async function openWorkspaceState(cacheFolder: string, root: string): Promise<string> {
  const folder = workspaceStateFolder(cacheFolder, root);
  const note = join(folder, noteName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const now = new Date();
    const isNoted = await utimes(note, now, now).then(
      () => true,
      () => false,
    );
    if (!isNoted)
      await writeFileAtomically(note, [new TextEncoder().encode(`${JSON.stringify({ root })}\n`)]);
  } catch (error) {
    throw storageError(folder, error);
  }
  return folder;
}

/** Removes what is stored of a workspace; false when nothing was. Throws as `storageError`. */
export function clearWorkspaceState(cacheFolder: string, root: string): Promise<boolean> {
  return clearFolder(workspaceStateFolder(cacheFolder, root));
}

/** Removes a folder of ours and all in it; false when nothing was there. Throws as `storageError`. */
export async function clearFolder(folder: string): Promise<boolean> {
  try {
    if (!(await isThere(folder))) return false;
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    throw storageError(folder, error);
  }
  if (!(await isThere(folder))) return true;
  const message = `${folder} could not be removed; remove it by hand`;
  throw new CompletionError("STORAGE_UNWRITABLE", message);
}

/** Of a link: whether it is there itself. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

/**
 * Removes the least recently used workspaces, of older formats too, until the rest takes at most
 * `maxBytes`. `keep` stays whatever its size. Returns how many were removed.
 */
export async function evictWorkspaces(
  cacheFolder: string,
  options: { readonly maxBytes: number; readonly keep: string },
): Promise<number> {
  const stored = await storedWorkspaces(cacheFolder);
  let total = stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let removed = 0;
  for (const { folder, sizeBytes } of stored.sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= options.maxBytes) break;
    if (folder === options.keep) continue;
    await rm(folder, { recursive: true, force: true });
    total -= sizeBytes;
    removed++;
  }
  return removed;
}

interface StoredWorkspace {
  readonly folder: string;
  readonly sizeBytes: number;
  readonly usedMs: number;
}

async function storedWorkspaces(cacheFolder: string): Promise<StoredWorkspace[]> {
  const versions = (await namesIn(cacheFolder)).filter((name) => /^workspaces-v\d+$/.test(name));
  const stored: StoredWorkspace[] = [];
  for (const version of versions) {
    for (const name of await namesIn(join(cacheFolder, version))) {
      const folder = join(cacheFolder, version, name);
      let sizeBytes = 0;
      let usedMs = 0;
      for (const file of await namesIn(folder)) {
        const found = await stat(join(folder, file)).catch(() => null);
        sizeBytes += found?.size ?? 0;
        if (file === noteName) usedMs = found?.mtimeMs ?? 0;
      }
      stored.push({ folder, sizeBytes, usedMs });
    }
  }
  return stored;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
