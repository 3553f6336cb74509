/**
 * Where the page opens: a source file of the person's own, a place in it at which code could go on,
 * and how such code begins there. Guesses from names and shape; the server's answers decide.
 */
import { indentOf, isBlank } from "../../base/text.ts";
import { extensionOf } from "./editor/languages.ts";

const MAX_FILES = 8;
const MAX_PLACES = 4;
const MAX_BEGINNINGS = 6;
/** Characters of a beginning: enough to know something by, few enough to type. */
const MIN_BEGINNING = 4;
const MAX_BEGINNING = 24;

const codeExtensions: ReadonlySet<string> = new Set(
  "ts tsx js jsx mjs py go rs java kt cs cpp cc c h rb php swift scala dart lua ex".split(" "),
);
const asideFolders =
  /(^|\/)(test|tests|__tests__|spec|fixtures?|examples?|docs?|scripts?|vendor|third_party|bench|benchmarks?|generated|migrations)\//;
const asideNames =
  /(\.test\.|\.spec\.|^test_|_test\.|\.d\.ts$|\.config\.|\.min\.|^index\.|^__init__\.|types?\.|constants?\.)/;

/**
 * Code files worth opening first, best first; empty when the workspace has none. Of many that are
 * alike some from all over the list are taken: neighbours often have little in them, all of them.
 */
export function likelyFiles(paths: readonly string[]): readonly string[] {
  const ranked = paths
    .filter((path) => codeExtensions.has(extensionOf(path)))
    .map((path) => ({ path, score: scoreOf(path) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const alike = ranked.filter(({ score }) => score === ranked[0]?.score).length;
  const step = Math.max(1, Math.floor(alike / MAX_FILES));
  return ranked
    .filter((_, i) => i % step === 0)
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}

/** A place for the cursor; lines and columns count from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Ends of lines after which a person could go on with a line of the same indentation, the middle of
 * the text first; never none: the end of the text is always a place.
 */
export function likelyPlaces(text: string): readonly Place[] {
  const lines = text.split(/\r?\n/);
  const places: Place[] = [];
  for (const [line, current] of codeLines(lines).entries()) {
    if (current === null) continue;
    const next = lines[line + 1] ?? "";
    const isInside = indentOf(current) !== "" && indentOf(current) === indentOf(next);
    if (isInside && !isBlank(next) && /[;)\]\w"']$/.test(current)) {
      places.push({ line, column: current.length });
    }
  }
  const middle = lines.length / 2;
  return places
    .sort((a, b) => Math.abs(a.line - middle) - Math.abs(b.line - middle))
    .slice(0, MAX_PLACES - 1)
    .concat({ line: lines.length - 1, column: (lines.at(-1) ?? "").length });
}

/**
 * What indented lines of the text have in common at their beginning, such as `const record = ` or
 * `if (`; those first that would save the most typing.
 */
export function likelyBeginnings(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of codeLines(text.split(/\r?\n/))) {
    if (line === null || indentOf(line) === "") continue;
    const code = line.trim();
    // Cut where a token ends, as a person pauses there.
    for (const { index } of code.matchAll(/(?<=[\w"'] |[=(] |[.(])(?=\S)/g)) {
      if (MIN_BEGINNING <= index && index <= MAX_BEGINNING) {
        const beginning = code.slice(0, index);
        counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([a, m], [b, n]) => n * b.length - m * a.length || (a < b ? -1 : 1))
    .slice(0, MAX_BEGINNINGS)
    .map(([beginning]) => beginning);
}

/** The same lines; `null` for comments and for what a text in triple quotes touches. */
function codeLines(lines: readonly string[]): readonly (string | null)[] {
  let open: string | null = null;
  return lines.map((line) => {
    let isProse = open !== null || isComment(line);
    for (const [quotes] of line.matchAll(/"""|'''/g)) {
      isProse = true;
      if (open === null) open = quotes;
      else if (open === quotes) open = null;
    }
    return isProse ? null : line;
  });
}

function isComment(line: string): boolean {
  return /^\s*(\/[/*]|\*|#)/.test(line);
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
