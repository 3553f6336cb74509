/**
 * Rewrites the lines of a `.gitignore` so that they mean the same from the top of the tree. Rules of
 * all levels then stand in one list, later ones win, and the parents of a path are judged by the same
 * list: that is git's meaning, including a nested file that takes a folder back in.
 * `folder` is relative to the top, with `/`, without one at the end; "" is the top itself.
 * A line that would take for ever to match, or that no path is long enough for, is left out.
 */
export function rebaseIgnoreLines(text: string, folder: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  return lines.flatMap((line, index) => {
    const isLast = index === lines.length - 1;
    const rebased = rebase(isLast ? line : line.replace(/\r$/, ""), folder);
    return rebased === null ? [] : [rebased];
  });
}

/** No path is longer, and a pattern of many thousands of units is more than a regular expression holds. */
const MAX_PATTERN_UNITS = 4_096;

/** Each `**` may stand for any folders on the way, so the ways to match multiply with each. */
const MAX_GLOBSTARS = 4;

function rebase(line: string, folder: string): string | null {
  if (line.startsWith("#")) return null;
  const isNegated = line.startsWith("!");
  const body = trimEnd(isNegated ? line.slice(1) : line);
  if (body === "" || body === "/") return null;
  const globstars = body.split("/").filter((name) => name === "**").length;
  if (body.length > MAX_PATTERN_UNITS || globstars > MAX_GLOBSTARS) return null;
  const mark = isNegated ? "!" : "";
  if (folder === "") return mark + body;
  // A slash before the last character ties the pattern to the folder of its file.
  const isAnchored = body.slice(0, -1).includes("/");
  // These escapes have a meaning at the start of a line only, and this is the start no longer.
  const rest = body.replace(/^\//, "").replace(/^\\([!#])/, "$1");
  return `${mark}/${escapeGlob(folder)}/${isAnchored ? "" : "**/"}${rest}`;
}

/** Trailing blanks do not count, except one behind a backslash. */
function trimEnd(body: string): string {
  const trimmed = body.replace(/ +$/, "");
  const backslashes = /\\*$/.exec(trimmed)?.[0].length ?? 0;
  return trimmed.length < body.length && backslashes % 2 === 1 ? `${trimmed} ` : trimmed;
}

/** The folder's name as a pattern that matches only itself. */
function escapeGlob(folder: string): string {
  return folder.replace(/[\\*?[\]]/g, "\\$&");
}
