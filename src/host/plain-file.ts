/**
 * Reads of files that others may change at any moment. Between a look and a read a name can become a
 * pipe that never ends, a device or a link to somewhere else, so what was opened is looked at again.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** What stands in a file, or why it is not read; the words are those of left-out files. */
export type PlainFile =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "left-out"; readonly reason: "special" | "too-large" };

export interface PlainFileOptions {
  readonly maxBytes: number;
  /** `refused`: a link as the last name of the path is an error (`ELOOP`). */
  readonly links: "followed" | "refused";
}

/** Reads a file without waiting for anything but the disk. Throws what the file system throws. */
export async function readPlainFile(path: string, options: PlainFileOptions): Promise<PlainFile> {
  const file = await open(path, flagsOf(options));
  try {
    const refusal = refuse(await file.stat(), options);
    return refusal ?? { kind: "bytes", bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

/** As `readPlainFile`, for a thread that has nothing else to do. */
export function readPlainFileSync(path: string, options: PlainFileOptions): PlainFile {
  const file = openSync(path, flagsOf(options));
  try {
    return refuse(fstatSync(file), options) ?? { kind: "bytes", bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

/** Without `O_NONBLOCK`, opening a pipe waits for somebody who writes. */
function flagsOf({ links }: PlainFileOptions): number {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  return links === "followed" ? flags : flags | constants.O_NOFOLLOW;
}

function refuse(found: Stats, { maxBytes }: PlainFileOptions): PlainFile | null {
  if (!found.isFile()) return { kind: "left-out", reason: "special" };
  return found.size > maxBytes ? { kind: "left-out", reason: "too-large" } : null;
}
