/**
 * Indentation of the lines after the first, moved towards the unit that the file uses and never away
 * from it. Only where the lines cannot be meant as they are: a line is at most one step deeper than
 * the line before, and only under a line that opens a block. Then three mends are tried, and the
 * first that makes the lines fit is taken: shift all by the same width, read the steps as another
 * unit (tabs, 2, 4, 8 or 3 spaces). Lines in strings do not move; continued lines move along.
 */
import { indentOf } from "../../../base/text.ts";
import { indentWidthAt } from "../../scope/indentation.ts";
import type { PostContext } from "../context.ts";
import type { PostFilter } from "../filter.ts";
import { blankLinesAtStart, isClosersOnly, opensBlock } from "../lines.ts";
import { expectedIndentWidth } from "./first-indent.ts";

interface Row {
  readonly start: number;
  readonly indent: string;
  readonly content: string;
  /** False for a line that goes on with the one before, whose indentation is layout. */
  readonly isJudged: boolean;
  /** The line before opens a block. */
  readonly isUnderOpener: boolean;
}

/** Units that a text may have been written in, likeliest first. */
const otherSteps = [4, 2, 8, 3];
/** Widest shift that is taken for a slip. */
const MAX_SHIFT = 8;

export const lineIndent: PostFilter = {
  name: "line-indent",
  origin: "all",
  apply(candidate, context) {
    const { text } = candidate;
    const isBelowMargin = context.headIsBlank && context.head === "";
    if (!text.includes("\n") && !isBelowMargin) return candidate;
    if (context.scope.region !== "code" || isInLayout(text, context)) return candidate;
    if (context.language.nature === "prose" || context.language.blocks === "none") return candidate;
    const rows = rowsOf(text, context, isBelowMargin);
    const mend = rows.some((row) => row.isJudged) ? mendFor(rows, context, isBelowMargin) : null;
    return mend === null ? candidate : { ...candidate, text: indented(text, rows, mend) };
  },
};

/** True where the lines stand under an open bracket that has something after it. */
function isInLayout(text: string, context: PostContext): boolean {
  const innermost = context.scope.openBrackets[context.scope.openBrackets.length - 1];
  if (innermost === undefined) return false;
  const isOnLine = innermost.offset >= context.lineStart;
  return !innermost.opensBlock || (isOnLine && blankLinesAtStart(text) === 0);
}

type Mend = (indent: string) => string;

function mendFor(rows: readonly Row[], context: PostContext, isBelowMargin: boolean): Mend | null {
  const unit = context.indentUnit;
  const base = isBelowMargin ? expectedIndentWidth(context) : context.headIndentWidth;
  const baseLevel = base / unit.width;
  if (!Number.isInteger(baseLevel)) return null;
  const start = isBelowMargin ? Math.max(0, baseLevel - firstStep(rows)) : baseLevel;
  const fits = (levelOf: (indent: string) => number): boolean => fitsAll(rows, start, levelOf);
  const isForeign = rows.some((row) => row.indent.includes(unit.isTab ? " " : "\t"));
  if (!isForeign) {
    if (fits((indent) => indentWidthAt(indent) / unit.width)) return null;
    if (unit.isTab) return null;
    for (const by of shifts(rows, base, unit.width)) {
      const levelOf = (indent: string): number => (indentWidthAt(indent) + by) / unit.width;
      const staysInside = rows.every(
        (row) => !row.isJudged || isClosersOnly(row.content) || levelOf(row.indent) >= start,
      );
      if (staysInside && fits(levelOf)) {
        return (indent) => " ".repeat(Math.max(0, indentWidthAt(indent) + by));
      }
    }
  }
  const steps = isForeign && !unit.isTab ? [unit.width] : otherSteps;
  for (const step of steps) {
    const columns = (indent: string): number => columnsOf(indent, step);
    const levelOf = (indent: string): number => columns(indent) / step;
    // Another reading of the steps must put a line near the block that the cursor is in.
    const isNear = rows.some((row) => row.isJudged && levelOf(row.indent) >= start - 1);
    if (!isNear || !fits(levelOf)) continue;
    return (indent) => {
      const level = Math.floor(columns(indent) / step);
      return unit.text.repeat(level) + " ".repeat(columns(indent) - level * step);
    };
  }
  // Stray blanks behind tabs.
  const tabsOf = (indent: string): number => indent.lastIndexOf("\t") + 1;
  const isNear = rows.some((row) => row.isJudged && tabsOf(row.indent) >= Math.max(1, start));
  return unit.isTab && isNear && fits(tabsOf) ? (indent) => "\t".repeat(tabsOf(indent)) : null;
}

function firstStep(rows: readonly Row[]): number {
  return rows[0]?.isUnderOpener === true ? 1 : 0;
}

/** Shifts that put the first judged line where it is expected. */
function shifts(rows: readonly Row[], base: number, unitWidth: number): readonly number[] {
  const first = rows.find((row) => row.isJudged);
  if (first === undefined) return [];
  const width = indentWidthAt(first.indent);
  const candidates = first.isUnderOpener
    ? [base + unitWidth - width, base - width]
    : [base - width];
  return candidates.filter((by) => {
    if (by === 0 || Math.abs(by) > MAX_SHIFT) return false;
    // A line that is a whole step less deep has left its block on purpose.
    return by < 0 || width % unitWidth !== 0;
  });
}

/** Whether the judged lines' levels are whole and follow from one another. */
function fitsAll(
  rows: readonly Row[],
  startLevel: number,
  levelOf: (indent: string) => number,
): boolean {
  let last = startLevel;
  for (const row of rows) {
    if (!row.isJudged) continue;
    const level = levelOf(row.indent);
    const highest = last + (row.isUnderOpener && !isClosersOnly(row.content) ? 1 : 0);
    if (!Number.isInteger(level) || level < 0 || level > highest) return false;
    last = level;
  }
  return true;
}

/** Columns of an indentation in which a tab is one step. */
function columnsOf(indent: string, step: number): number {
  let columns = 0;
  for (const char of indent) columns += char === "\t" ? step : 1;
  return columns;
}

function rowsOf(text: string, context: PostContext, isBelowMargin: boolean): readonly Row[] {
  const { lines, brackets } = context.structureOf(text);
  const rows: Row[] = [];
  let before = isBelowMargin ? context.lineAbove : "";
  let nextBracket = 0;
  // A continued line, and what is indented as it or deeper, is laid out freely.
  let layoutWidth = Number.POSITIVE_INFINITY;
  // Brackets of the text that are open, and whether each ended its line.
  const open: boolean[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined) break;
    const own = text.slice(line.start, line.end);
    const content = own.trim();
    if ((i > 0 || isBelowMargin) && content !== "" && line.region !== "string") {
      const indent = indentOf(own);
      const width = indentWidthAt(indent);
      const isLayout =
        line.region !== "code" ||
        open.includes(false) ||
        !/^[\p{L}\p{N}"'`@#$_{}()[\]<*/-]/u.test(content) ||
        isContinued(before, context) ||
        width >= layoutWidth;
      layoutWidth = isLayout ? Math.min(layoutWidth, width) : Number.POSITIVE_INFINITY;
      rows.push({
        start: line.start,
        indent,
        content,
        isJudged: !isLayout,
        isUnderOpener: opensBlock(before, context.language),
      });
    }
    for (let event = brackets[nextBracket]; event !== undefined && event.offset < line.end; ) {
      if (event.opens) open.push(text.slice(event.offset + 1, line.end).trim() === "");
      else open.pop();
      event = brackets[++nextBracket];
    }
    const whole = i === 0 ? context.head + own : own;
    if (whole.trim() !== "") before = whole;
  }
  return rows;
}

/** True for a line that a binary operator or a backslash carries on to the next. */
function isContinued(line: string, context: PostContext): boolean {
  const content = line.trimEnd();
  return /[=+\-*/%&|?\\.<>~^]$/.test(content) && context.language.nature === "code";
}

function indented(text: string, rows: readonly Row[], mend: Mend): string {
  let result = "";
  let at = 0;
  for (const row of rows) {
    result += text.slice(at, row.start) + mend(row.indent);
    at = row.start + row.indent.length;
  }
  return result + text.slice(at);
}
