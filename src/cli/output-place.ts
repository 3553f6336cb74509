/**
 * Where a command is to write what it finds. Whether that can be done is tried before it starts:
 * nobody measures for an hour to learn that a folder is read-only. Folders are made one by one,
 * because Node's recursive `mkdir` never returns below `/proc`.
 */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { storageWords } from "../core/index.ts";
import { fileErrorCode } from "../host/file-error.ts";
import { UsageError } from "./exit.ts";

/** Less what the person's mask takes away. */
const EVERYBODY = 0o777;

/** The folder that `flag` names, made; `null` for `null`. Throws `UsageError` when nothing can be written there. */
export function outputFolder(flag: string, folder: string | null): string | null {
  if (folder === null) return null;
  attempt(flag, folder, () => {
    makeFolder(resolve(folder), EVERYBODY);
    tryFile(join(folder, `.midspan-${randomBytes(6).toString("hex")}`));
  });
  return folder;
}

/** The file that `flag` names, with its folder made; what it holds stays. Else as `outputFolder`. */
export function outputFile(flag: string, file: string | null): string | null {
  if (file === null) return null;
  attempt(flag, file, () => {
    makeFolder(dirname(resolve(file)), EVERYBODY);
    tryFile(file);
  });
  return file;
}

/** Makes the folder and those above it; `mode` is that of each one made. Throws as `mkdirSync`. */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  mkdirSync(folder, { mode });
}

function tryFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  // A pipe would be waited for.
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return;
  closeSync(openSync(file, "a"));
  if (found === undefined) rmSync(file);
}

function attempt(flag: string, path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new UsageError(`${reasonOf(path, cause)}; name another place with ${flag}`, { cause });
  }
}

function reasonOf(path: string, cause: unknown): string {
  const code = fileErrorCode(cause);
  if (code === "ENOENT") return `cannot write ${path}: nothing can be made there (ENOENT)`;
  if (code === "EISDIR") return `cannot write ${path}: it is a folder (EISDIR)`;
  return storageWords(path, cause);
}
