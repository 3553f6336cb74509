/** What a commit added, read from a patch without context lines. */

/** A run of changed lines. Line numbers count from 0. */
export interface Hunk {
  /** Lines of the older file that went, and where; an insertion stands before `oldStart`. */
  readonly oldStart: number;
  readonly oldCount: number;
  /** Lines of the newer file that came. */
  readonly newStart: number;
  readonly newCount: number;
  /** Texts of the lines that went. */
  readonly removed: readonly string[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The hunks of each file, in the order of the patch; a binary file has none. */
export function parsePatch(patch: string): readonly (readonly Hunk[])[] {
  const files: Hunk[][] = [];
  let removed: string[] = [];
  // Lines of the hunk that are still to come: they may look like heads.
  let left = 0;
  for (const line of patch.split("\n")) {
    if (left > 0 && /^[-+]/.test(line)) {
      left--;
      if (line.startsWith("-")) removed.push(line.slice(1).replace(/\r$/, ""));
      continue;
    }
    if (line.startsWith("diff --git ")) files.push([]);
    const head = hunkHead.exec(line);
    if (head === null) continue;
    const [oldAt, oldCount, newAt, newCount] = [head[1], head[2], head[3], head[4]].map((number) =>
      number === undefined ? 1 : Number(number),
    ) as [number, number, number, number];
    removed = [];
    left = oldCount + newCount;
    files.at(-1)?.push({
      // Git names the line before an empty range.
      oldStart: oldCount === 0 ? oldAt : oldAt - 1,
      oldCount,
      newStart: newCount === 0 ? newAt : newAt - 1,
      newCount,
      removed,
    });
  }
  return files;
}
