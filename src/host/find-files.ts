import { FolderRules } from "./folder-rules.ts";
import type { IndexWarning } from "./index-store.ts";
import type { LeftOutTally } from "./left-out.ts";
import { newestFirst, withinCaps } from "./newest-first.ts";
import { type FoundFile, walk } from "./walk.ts";
import { realFolder } from "./workspace-path.ts";

export interface FindOptions {
  readonly deny: readonly string[];
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  /** Not entered, should it lie in the workspace; `null` when there is none. */
  readonly cacheFolder: string | null;
  readonly tally: LeftOutTally;
  /** Called now and then with the number of files so far. */
  readonly onFound: (files: number) => void;
  /** Called once when the walk takes long, with the files so far, the newest first. */
  readonly onSlow: (found: readonly FoundFile[]) => void;
  readonly warn: (warning: IndexWarning) => void;
}

/** A walk of 10,000 files is done by then. */
const WALK_PATIENCE_MS = 400;

/** A walk ends at this many times the cap: then somebody opened a disk, not a workspace. */
const MAX_FOUND_FACTOR = 4;

/** The files of a workspace that an index is to hold, the newest first. A cap that cuts is a warning. */
export async function findFiles(root: string, options: FindOptions): Promise<readonly FoundFile[]> {
  const { tally, maxFileBytes, maxFiles, maxTotalBytes, cacheFolder } = options;
  const startedMs = performance.now();
  const rules = await FolderRules.atRoot(root, options);
  const without = cacheFolder === null ? [] : [await realFolder(cacheFolder)];
  const found: FoundFile[] = [];
  let isSlow = false;
  let isWhole = true;
  for await (const file of walk(root, rules, { tally, without, maxFileBytes })) {
    found.push(file);
    if (found.length % 500 === 0) options.onFound(found.length);
    if (!isSlow && performance.now() - startedMs > WALK_PATIENCE_MS) {
      isSlow = true;
      options.onSlow(newestFirst(found));
    }
    if (found.length >= maxFiles * MAX_FOUND_FACTOR) {
      isWhole = false;
      break;
    }
  }
  const { files, overCount } = withinCaps(newestFirst(found), { maxFiles, maxTotalBytes });
  for (let i = 0; i < overCount; i++) tally.add("over-cap");
  if (overCount > 0) {
    const total = isWhole ? String(found.length) : `more than ${found.length}`;
    options.warn({
      code: null,
      message: `the index holds the newest ${files.length} of ${total} files; raise index.maxFiles (${maxFiles}) or index.maxTotalBytes (${maxTotalBytes}), or name folders in a .midspanignore`,
    });
  }
  return files;
}
