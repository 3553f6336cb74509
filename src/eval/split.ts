/**
 * File-level splits: some files are held out and judged, the others are what the model knows. Files
 * that share over half of their lines with a held-out file are left out of the index, since such a
 * copy leaks the answers.
 */
import type { Random } from "../stats/random.ts";
import { codeRegion, codeRegions } from "./code-regions.ts";
import type { SourceFile } from "./source-file.ts";

/** Held-out files and the index that judges them. */
export interface Split {
  readonly heldOut: readonly SourceFile[];
  readonly indexed: readonly SourceFile[];
  /** Files that were left out of the index as near copies of a held-out file. */
  readonly leftOut: readonly SourceFile[];
}

/** A file with fewer lines of code is never held out: it has too few places for a cursor. */
const MIN_CODE_LINES = 20;
/** At most this share of a package is held out at a time; a small package takes turns instead. */
const MAX_HELD_OUT_SHARE = 0.25;
/** A file is left out when it shares more than this part of its lines with a held-out file. */
const MAX_SHARED_LINES = 0.5;

/**
 * `heldOutFiles` files drawn at random, or all that are long enough if there are fewer. One split
 * when they are at most a quarter of the package. Otherwise as many as it takes to hold out a quarter
 * at a time, each file once: a package of twenty files would else be judged on an empty index.
 */
export function makeSplits(
  files: readonly SourceFile[],
  options: { readonly heldOutFiles: number; readonly random: Random },
): readonly Split[] {
  const eligible = files.filter((file) => countCodeLines(file) >= MIN_CODE_LINES);
  const drawn = options.random.shuffled(eligible).slice(0, options.heldOutFiles);
  const perSplit = Math.max(1, Math.floor(files.length * MAX_HELD_OUT_SHARE));
  const splitCount = Math.ceil(drawn.length / perSplit);
  const splits: Split[] = [];
  for (let i = 0; i < splitCount; i++) {
    const heldOut = drawn.filter((_, place) => place % splitCount === i);
    const others = files.filter((file) => !heldOut.includes(file));
    const leftOut = nearCopies(others, heldOut);
    const indexed = others.filter((file) => !leftOut.includes(file));
    splits.push({ heldOut, indexed, leftOut });
  }
  return splits;
}

/** The files that share over half of their distinct lines with one of `originals`. */
export function nearCopies(
  files: readonly SourceFile[],
  originals: readonly SourceFile[],
): readonly SourceFile[] {
  const originalLines = originals.map(distinctLines);
  return files.filter((file) => {
    const lines = [...distinctLines(file)];
    return originalLines.some((original) => {
      const shared = lines.filter((line) => original.has(line)).length;
      return shared > lines.length * MAX_SHARED_LINES;
    });
  });
}

/** Lines with a letter or digit, trimmed: brackets alone say nothing about a copy. */
function distinctLines(file: SourceFile): Set<string> {
  const lines = file.text.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => /[\p{L}\p{N}]/u.test(line)));
}

function countCodeLines(file: SourceFile): number {
  const regions = codeRegions(file.text, file.languageId);
  let count = 0;
  for (const match of file.text.matchAll(/^[ \t]*(?=\S)/gm)) {
    if (regions[match.index + match[0].length] !== codeRegion.prose) count++;
  }
  return count;
}
