/**
 * Walks a workspace. Folders that are left out are not entered; symbolic links are never followed, so
 * a circle of links cannot trap the walk and nothing outside is read. What is unreadable is counted
 * and named, and the walk goes on.
 */
import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { CompletionError } from "../core/index.ts";
import { leftOutByName } from "./file-content.ts";
import { fileErrorCode, isMissing } from "./file-error.ts";
import type { FolderRules } from "./folder-rules.ts";
import type { LeftOutTally } from "./left-out.ts";
import { childPath } from "./workspace-path.ts";

/** A file that no rule by name or size leaves out. */
export interface FoundFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A folder that was entered, with the names of the files in it that no rule leaves out. */
export interface WalkedFolder {
  readonly rules: FolderRules;
  readonly fileNames: readonly string[];
}

export interface WalkOptions {
  /** Counts what is left out. */
  readonly tally: LeftOutTally;
  /** Folders by real path that are not entered, such as our own state. */
  readonly without: readonly string[];
  /** Called with the path of each folder right before its entries are read. */
  readonly onEnter?: (path: string) => void;
}

/** Folders of people lie less deep; what programs nest for ever is not followed. */
export const MAX_DEPTH = 64;

/** The real path of a workspace. Throws `WORKSPACE_UNREADABLE` when it is no folder that we may read. */
export async function realWorkspace(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    await readdir(root);
    return root;
  } catch (cause) {
    const why = fileErrorCode(cause) ?? "it cannot be read";
    throw new CompletionError("WORKSPACE_UNREADABLE", `cannot read the folder ${folder} (${why})`, {
      cause,
    });
  }
}

/** Yields `start` and every folder below it, in the order of names. */
export async function* walkFolders(
  root: string,
  start: FolderRules,
  options: WalkOptions,
): AsyncGenerator<WalkedFolder> {
  const stack: Step[] = [{ path: start.path, rules: async () => start }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { path } = step;
    options.onEnter?.(path);
    const entries = await entriesOf(root, path, options.tally);
    const names = new Set(entries.map((entry) => entry.name));
    const rules = await step.rules((name) => names.has(name));
    const fileNames: string[] = [];
    const folders: Step[] = [];
    for (const entry of entries) {
      const { name } = entry;
      const kind = await kindOf(root, path, entry, options.tally);
      if (kind === null) continue;
      const reason = rules.leavesOut(name, kind);
      if (reason !== null) {
        options.tally.add(reason);
      } else if (kind === "file") {
        fileNames.push(name);
      } else if (options.without.includes(join(root, path, name))) {
      } else if (path.split("/").length === MAX_DEPTH) {
        const message = `lies more than ${MAX_DEPTH} folders deep`;
        options.tally.addProblem("over-cap", { path: childPath(path, name), message });
      } else {
        folders.push({ path: childPath(path, name), rules: (has) => rules.enter(name, has) });
      }
    }
    yield { rules, fileNames };
    stack.push(...folders.reverse());
  }
}

/** A folder still to enter. */
interface Step {
  readonly path: string;
  readonly rules: (has: (name: string) => boolean) => Promise<FolderRules>;
}

/** Yields every file that no rule by name or size leaves out. */
export async function* walk(
  root: string,
  start: FolderRules,
  options: WalkOptions & { readonly maxFileBytes: number },
): AsyncGenerator<FoundFile> {
  const { tally, maxFileBytes } = options;
  for await (const { rules, fileNames } of walkFolders(root, start, options)) {
    const paths = fileNames.flatMap((name) => {
      const reason = leftOutByName(name);
      if (reason !== null) tally.add(reason);
      return reason === null ? [childPath(rules.path, name)] : [];
    });
    const stats = await Promise.all(
      paths.map((path) => lstat(join(root, path)).catch((error: unknown) => ({ error }))),
    );
    for (const [index, path] of paths.entries()) {
      const found = stats[index];
      if (found === undefined) continue;
      if ("error" in found) {
        report(tally, path, found.error);
      } else if (found.size > maxFileBytes) {
        tally.add("too-large");
      } else {
        yield { path, sizeBytes: found.size, modifiedMs: found.mtimeMs };
      }
    }
  }
}

async function entriesOf(root: string, path: string, tally: LeftOutTally): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(root, path), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(tally, path, error);
    return [];
  }
}

async function kindOf(
  root: string,
  folder: string,
  entry: Dirent,
  tally: LeftOutTally,
): Promise<"file" | "folder" | null> {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  const path = childPath(folder, entry.name);
  if (entry.isSymbolicLink()) {
    await countLink(root, path, tally);
    return null;
  }
  // Some file systems do not say what an entry is; sockets, pipes and devices say that they are such.
  const found = await lstat(join(root, path)).catch(() => null);
  if (found?.isFile()) return "file";
  if (found?.isDirectory()) return "folder";
  tally.add("special");
  return null;
}

/** A link is left out; one that leads nowhere or back to where it stands is a problem as well. */
async function countLink(root: string, path: string, tally: LeftOutTally): Promise<void> {
  const link = join(root, path);
  try {
    const target = await stat(link);
    const real = target.isDirectory() ? await realpath(link) : null;
    if (real !== null && `${link}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)) {
      tally.addProblem("symlink", { path, message: "a link to a folder that holds it" });
    } else {
      tally.add("symlink");
    }
  } catch (error) {
    const isCircle = fileErrorCode(error) === "ELOOP";
    const message = isCircle ? "links that lead in a circle" : "a link that leads nowhere";
    tally.addProblem("symlink", { path, message });
  }
}

function report(tally: LeftOutTally, path: string, error: unknown): void {
  // What is deleted during a walk is nobody's fault.
  if (isMissing(error)) tally.add("vanished");
  else
    tally.addProblem("unreadable", { path, message: `cannot be read (${fileErrorCode(error)})` });
}
