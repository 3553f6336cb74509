/** Names, ages and sizes of the journal's files. */
import type { Dirent } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** A file of the journal. */
export interface JournalFile {
  readonly name: string;
  /** `2026-11-30`, in universal time. */
  readonly day: string;
}

const DAY_MS = 86_400_000;

/** The day of a moment, in universal time. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** One file per process and day. */
export function fileNameOf(day: string, session: string): string {
  return `${day}.${session}.jsonl`;
}

/** The files of a journal from the oldest day to the newest; none without a folder. */
export async function journalFiles(folder: string): Promise<readonly JournalFile[]> {
  // What else bears such a name is none of ours: a folder cannot be read, a pipe would be waited for.
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => /^\d{4}-\d\d-\d\d\.[\w-]+\.jsonl$/.test(name))
    .sort()
    .map((name) => ({ name, day: name.slice(0, 10) }));
}

/** Removes files that are too old, then the oldest until the rest is small enough. `keep` stays. */
export async function pruneJournal(
  limits: {
    readonly folder: string;
    readonly days: number;
    readonly maxBytes: number;
    readonly wallNow: () => number;
  },
  keep: string,
): Promise<void> {
  const { folder, days, maxBytes, wallNow } = limits;
  const firstDay = dayOf(wallNow() - days * DAY_MS);
  const files = await journalFiles(folder);
  const sizes = await Promise.all(files.map(({ name }) => sizeOf(join(folder, name))));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const [i, { name, day }] of files.entries()) {
    if (name === keep || (day >= firstDay && total <= maxBytes)) continue;
    await rm(join(folder, name), { force: true });
    total -= sizes[i] ?? 0;
  }
}

/** Removes all files of the journal; the number of them. */
export async function clearJournal(folder: string): Promise<number> {
  const files = await journalFiles(folder);
  for (const { name } of files) await rm(join(folder, name), { force: true });
  return files.length;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}
