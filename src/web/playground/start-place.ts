/**
 * Where the page opens: a source file of the person's own, and a place in it at which code is likely
 * to go on. Both are guesses from names and shape; the server's answers decide between the places.
 */
import { indentOf, isBlank } from "../../base/text.ts";
import { extensionOf } from "./editor/languages.ts";

const MAX_FILES = 4;
const MAX_PLACES = 8;

const codeExtensions: ReadonlySet<string> = new Set(
  "ts tsx js jsx mjs py go rs java kt cs cpp cc c h rb php swift scala dart lua ex".split(" "),
);
const asideFolders =
  /(^|\/)(test|tests|__tests__|spec|fixtures?|examples?|docs?|scripts?|vendor|third_party|bench|benchmarks?|generated|migrations)\//;
const asideNames =
  /(\.test\.|\.spec\.|_test\.|\.d\.ts$|\.config\.|\.min\.|^index\.|types?\.|constants?\.)/;

/** Code files worth opening first, best first; empty when the workspace has none. */
export function likelyFiles(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => codeExtensions.has(extensionOf(path)))
    .map((path) => ({ path, score: scoreOf(path) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}

/** A place for the cursor; lines and columns count from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Empty lines between statements first, then ends of lines that open a block; never none: the end of
 * the text is always a place.
 */
export function likelyPlaces(text: string): readonly Place[] {
  const lines = text.split(/\r?\n/);
  const blank: Place[] = [];
  const openers: Place[] = [];
  for (let line = 1; line + 1 < lines.length; line++) {
    const current = lines[line] ?? "";
    const before = lines[line - 1] ?? "";
    const isInside = indentOf(lines[line + 1] ?? "") !== "" || indentOf(before) !== "";
    if (isBlank(current)) blank.push({ line, column: current.length });
    else if (isInside && /[{:(]$/.test(current)) openers.push({ line, column: current.length });
  }
  const end = { line: lines.length - 1, column: (lines.at(-1) ?? "").length };
  const middleFirst = (a: Place, b: Place): number =>
    Math.abs(a.line - lines.length / 2) - Math.abs(b.line - lines.length / 2);
  return [...blank.sort(middleFirst).slice(0, MAX_PLACES - 3), ...openers.sort(middleFirst)]
    .slice(0, MAX_PLACES - 1)
    .concat(end);
}

function scoreOf(path: string): number {
  const depth = path.split("/").length;
  const name = path.slice(path.lastIndexOf("/") + 1);
  let score = -Math.abs(depth - 3);
  if (/^(src|lib|app|pkg|internal)\//.test(path)) score += 4;
  if (asideFolders.test(path)) score -= 8;
  if (asideNames.test(name)) score -= 6;
  return score;
}
