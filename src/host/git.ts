import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readPlainFile } from "./plain-file.ts";

/** Such a file holds one path. */
const MAX_NOTE_BYTES = 10_000;

/** The repository that a folder belongs to. Found by looking at files; git itself is never run. */
export interface GitRepository {
  /** The folder that holds `.git`. */
  readonly workTree: string;
  /** `info/exclude` of the repository; it need not exist. */
  readonly excludeFile: string;
}

/** The repository around a folder, the folder itself included; `null` outside of any. */
export async function findRepository(folder: string): Promise<GitRepository | null> {
  let workTree = resolve(folder);
  while (true) {
    const gitFolder = await commonGitFolder(join(workTree, ".git"));
    if (gitFolder !== null) return { workTree, excludeFile: join(gitFolder, "info", "exclude") };
    const parent = dirname(workTree);
    if (parent === workTree) return null;
    workTree = parent;
  }
}

/** The folder with the shared part of a repository, given `.git`: a folder, or a file in a worktree. */
async function commonGitFolder(dotGit: string): Promise<string | null> {
  try {
    if ((await stat(dotGit)).isDirectory()) {
      // As git does: an empty `.git` makes no repository.
      await stat(join(dotGit, "HEAD"));
      return dotGit;
    }
    const target = /^gitdir: (.+)$/m.exec((await readNote(dotGit)) ?? "")?.[1];
    if (target === undefined) return null;
    const own = resolve(dirname(dotGit), target.trim());
    await stat(join(own, "HEAD"));
    const common = await readNote(join(own, "commondir")).catch(() => null);
    return common === null ? own : resolve(own, common.trim());
  } catch {
    return null;
  }
}

/** The text of a small file of git's own; `null` when it is something else. */
async function readNote(path: string): Promise<string | null> {
  const file = await readPlainFile(path, { maxBytes: MAX_NOTE_BYTES, links: "followed" });
  return file.kind === "bytes" ? file.bytes.toString("utf8") : null;
}
