/** A failure to write files as the coded error that a person can act on: the true cause and what to do. */
import { CompletionError, type ErrorCode } from "./errors.ts";

type Reason = readonly [ErrorCode, says: string, next: string];

const makeRoom = "make room there, or choose another place";
const letWrite = "make it writable, or choose another place";
const moveAway = "move it away, or choose another place";

/** Codes of the file system. */
const reasons: Readonly<Record<string, Reason>> = {
  ENOSPC: ["STORAGE_FULL", "no space is left", makeRoom],
  EDQUOT: ["STORAGE_FULL", "the quota is used up", makeRoom],
  EFBIG: ["STORAGE_FULL", "the file would be too large", "choose another place"],
  EROFS: ["STORAGE_UNWRITABLE", "the file system is read-only", letWrite],
  EACCES: ["STORAGE_UNWRITABLE", "there is no permission", letWrite],
  EPERM: ["STORAGE_UNWRITABLE", "there is no permission", letWrite],
  EIO: ["STORAGE_UNWRITABLE", "the disk fails", "check it, or choose another place"],
  ELOOP: ["STORAGE_UNWRITABLE", "links lead in a circle", moveAway],
  ENOENT: ["STORAGE_UNWRITABLE", "its folder is gone or cannot be made", letWrite],
  ENOTDIR: ["STORAGE_UNWRITABLE", "a file is in the way of a folder", moveAway],
  EEXIST: ["STORAGE_UNWRITABLE", "a file is in the way of a folder", moveAway],
  EISDIR: ["STORAGE_UNWRITABLE", "a folder is in the way of a file", moveAway],
};

/** `STORAGE_FULL` or `STORAGE_UNWRITABLE` for a failure of the file system; other errors as they are. */
export function storageError(path: string, cause: unknown): unknown {
  const reason = reasonOf(cause);
  if (reason === undefined) return cause;
  return new CompletionError(reason[0], `${storageWords(path, cause)}; ${reason[2]}`, { cause });
}

/** What failed and why, for those who know better what to do. */
export function storageWords(path: string, cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return `cannot write ${path}: ${reasonOf(cause)?.[1] ?? words}`;
}

function reasonOf(cause: unknown): Reason | undefined {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  const reason = typeof code === "string" ? reasons[code] : undefined;
  return reason && [reason[0], `${reason[1]} (${code})`, reason[2]];
}
