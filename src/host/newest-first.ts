/**
 * Orders files for an index that answers before it is complete, and that may not hold them all: what
 * was changed last is what somebody works on. After a fresh clone all files are of the same minute;
 * then code goes before tests and documents, and those before data.
 */
import type { FoundFile } from "./walk.ts";

const dataNames = /\.(json|jsonc|jsonl|ya?ml|toml|xml|csv|tsv|svg|html?|css|txt|log|ini|lock)$/i;
const proseNames = /(\.(md|mdx|rst|adoc)|(^|\/)(license|changelog)[^/]*)$/i;
const asideFolders = /(^|\/)(tests?|__tests__|specs?|fixtures?|examples?|docs?|bench(marks)?)\//i;
const testNames = /[._-](test|spec)\.[^/]+$|(^|\/)test_[^/]+\.py$/i;

/** The files in order. Of equal ones the path decides, so that the order is always the same. */
export function newestFirst(files: readonly FoundFile[]): readonly FoundFile[] {
  return files
    .map((file) => ({
      file,
      minute: Math.floor(file.modifiedMs / 60_000),
      rank: rankOf(file.path),
    }))
    .sort((a, b) => b.minute - a.minute || a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1))
    .map(({ file }) => file);
}

/** The first files that fit, and how many do not. */
export function withinCaps(
  files: readonly FoundFile[],
  caps: { readonly maxFiles: number; readonly maxTotalBytes: number },
): { readonly files: readonly FoundFile[]; readonly overCount: number } {
  let totalBytes = 0;
  const kept = files.filter((file, index) => {
    const isFit = index < caps.maxFiles && totalBytes + file.sizeBytes <= caps.maxTotalBytes;
    if (isFit) totalBytes += file.sizeBytes;
    return isFit;
  });
  return { files: kept, overCount: files.length - kept.length };
}

function rankOf(path: string): number {
  if (dataNames.test(path)) return 2;
  return proseNames.test(path) || asideFolders.test(path) || testNames.test(path) ? 1 : 0;
}
