/** Which names matter at a cursor: those on the lines around it, the nearer the more. */
import type { TextBuffer } from "../base/text-buffer.ts";
import { forEachIdentifier } from "./words.ts";

/** A name near the cursor. */
export interface NearbyName {
  readonly name: string;
  /** Lines between it and the cursor; the least of all its uses. */
  readonly distance: number;
  readonly uses: number;
  /** It stands behind a dot somewhere: a member. */
  readonly isMember: boolean;
}

const LINES_ABOVE = 10;
const LINES_BELOW = 3;
/** Headers of blocks around the cursor are looked for among this many lines. */
const MAX_SCOPE_LINES = 400;
/** Longer lines are data. */
const MAX_LINE = 1_000;

/** Names on the ten lines above the cursor, its own, three below, and on the headers of its blocks. */
export function nearbyNames(buffer: TextBuffer, offset: number): NearbyName[] {
  const { line } = buffer.positionAt(offset);
  const found = new Map<string, NearbyName>();
  const first = Math.max(0, line - LINES_ABOVE);
  const last = Math.min(buffer.lineCount - 1, line + LINES_BELOW);
  for (let at = first; at <= last; at++) {
    // What stands right of the cursor is as near as what stands left of it.
    add(found, buffer.lineAt(at), Math.abs(at - line));
  }
  for (const header of enclosingLines(buffer, line)) {
    if (header.line < first) add(found, header.text, LINES_ABOVE);
  }
  return [...found.values()];
}

/** A line that opens a block around a place. */
export interface EnclosingLine {
  readonly line: number;
  readonly text: string;
}

/**
 * The lines that open the blocks around a line, outermost first: going up, each that is indented less
 * than all below it. Indentation is right in the middle of broken code, too.
 */
export function enclosingLines(buffer: TextBuffer, line: number): EnclosingLine[] {
  const found: EnclosingLine[] = [];
  let indent = Number.POSITIVE_INFINITY;
  const own = buffer.lineAt(line);
  if (own.trim() !== "") indent = indentWidth(own);
  for (let at = line - 1; at >= 0 && line - at <= MAX_SCOPE_LINES && indent > 0; at--) {
    const text = buffer.lineAt(at);
    const trimmed = text.trim();
    if (trimmed === "" || text.length > MAX_LINE) continue;
    const width = indentWidth(text);
    if (width >= indent) continue;
    indent = width;
    // A closer or an `else` is no header; what is further up and as far left is.
    if (/^[)\]}#/*]/.test(trimmed)) indent = width + 1;
    else if (at < line) found.push({ line: at, text });
  }
  return found.reverse();
}

function add(found: Map<string, NearbyName>, text: string, distance: number): void {
  if (text.length > MAX_LINE) return;
  forEachIdentifier(text, { start: 0, end: text.length }, (start, end) => {
    const name = text.slice(start, end);
    const isMember = text.charAt(start - 1) === ".";
    const known = found.get(name);
    found.set(name, {
      name,
      distance: Math.min(distance, known?.distance ?? distance),
      uses: (known?.uses ?? 0) + 1,
      isMember: isMember || known?.isMember === true,
    });
  });
}

function indentWidth(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 32) width++;
    else if (code === 9) width += 8 - (width % 8);
    else break;
  }
  return width;
}
