/**
 * Loops of a model that found no end. Equal rows are code: a loop goes on to the end of the text and
 * has more turns than a person writes. Thresholds follow the shipped rules in Copilot's open client
 * (`/(.{3,}?)\1{5,}$/`, `/(.{10,}?)\1{3,}$/`), without their backtracking.
 */
import type { PostFilter } from "../filter.ts";
import { cutAt } from "../filter.ts";

/** Equal lines in a row, to the end, that make a loop. */
const MIN_EQUAL_LINES = 6;
/** Turns of a block of several lines that make a loop. */
const MIN_BLOCK_TURNS = 4;
/** Longest block that is looked for. */
export const MAX_BLOCK_LINES = 12;
/** How long the turns of a piece of a line that make a loop are together. */
const MIN_LOOP_LENGTH = 40;
/** Longest run of marks that a person draws. */
const MAX_BANNER = 160;
/** As much of the last line as is looked at. */
const MAX_LINE = 2_000;

/** A loop of lines keeps its first turn; one inside a line takes the line away. */
export const repetition: PostFilter = {
  name: "repetition",
  origin: "model",
  apply(candidate) {
    const { text } = candidate;
    const loop = lineLoop(text);
    const cut = loop < 0 ? candidate : cutAt(candidate, loop);
    const lastLineStart = cut.text.trimEnd().lastIndexOf("\n") + 1;
    if (!isLoop(cut.text.slice(lastLineStart).trimEnd())) return cut;
    if (cut.text.slice(0, lastLineStart).trim() === "") return { reason: "repetition" };
    return cutAt(cut, lastLineStart - 1);
  },
};

/** Where the second turn of a loop of lines begins; -1 when the text does not end in one. */
function lineLoop(text: string): number {
  if (text.indexOf("\n") < 0) return -1;
  const lines: { readonly content: string; readonly start: number; readonly end: number }[] = [];
  for (let start = 0; ; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const content = text.slice(start, end).trim();
    if (content !== "") lines.push({ content, start, end });
    if (lineEnd < 0) break;
    start = lineEnd + 1;
  }
  if (lines.length < MIN_EQUAL_LINES) return -1;
  for (let period = 1; period <= MAX_BLOCK_LINES && period * 2 < lines.length; period++) {
    const first = loopStart(lines, period);
    const turns = Math.floor((lines.length - first) / period);
    if (turns >= loopTurns(period)) return lines[first + period - 1]?.end ?? text.length;
  }
  return -1;
}

/** Turns that a block of `period` lines must have to be a loop. */
export function loopTurns(period: number): number {
  return period === 1 ? MIN_EQUAL_LINES : MIN_BLOCK_TURNS;
}

/** First line from which each line equals the one `period` lines below it. The last may be cut. */
function loopStart(lines: readonly { readonly content: string }[], period: number): number {
  let i = lines.length - 1 - period;
  const last = lines[lines.length - 1]?.content ?? "";
  // The last line may be the start of one that the limit cut.
  if (i >= 0 && lines[i]?.content.startsWith(last)) i--;
  while (i >= 0 && lines[i]?.content === lines[i + period]?.content) i--;
  return i + 1;
}

/** True when a line ends in one character, or one short piece, again and again. */
export function isLoop(line: string): boolean {
  const text = line.slice(-MAX_LINE);
  if (text.length < 2) return false;
  let run = 1;
  const last = text.charCodeAt(text.length - 1);
  while (run < text.length && text.charCodeAt(text.length - 1 - run) === last) run++;
  if (run >= runLimit(text, last)) return true;
  return hasPeriodicEnd(text);
}

/** How long a run of one character may be: banners and constants are long, other things are not. */
function runLimit(text: string, code: number): number {
  if (code >= 0xd800 && code < 0xe000) return Number.POSITIVE_INFINITY; // pairs: see the pieces
  const char = String.fromCharCode(code);
  if ("-=*#_~.+/<>|^ \t".includes(char) || (0x2500 <= code && code <= 0x257f)) return MAX_BANNER;
  if (/[0-9a-fA-F]/.test(char)) return 66; // a SHA-256 of zeros has 64 digits
  if (/[A-Za-z]/.test(char)) return 30;
  return text.length > 0 && "()[]{}".includes(char) ? 24 : 12;
}

/** True when the end repeats a piece often enough. The border function of the reversed text: O(n). */
function hasPeriodicEnd(text: string): boolean {
  const length = text.length;
  const border = new Int32Array(length + 1);
  border[0] = -1;
  let k = -1;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(length - 1 - i);
    while (k >= 0 && text.charCodeAt(length - 1 - k) !== code) k = border[k] as number;
    k++;
    border[i + 1] = k;
    const period = i + 1 - k;
    if (period < 2 || i + 1 < MIN_LOOP_LENGTH) continue;
    if ((i + 1) / period >= pieceTurns(period)) {
      if (!isBanner(text.slice(length - period)) || i + 1 > MAX_BANNER) return true;
    }
  }
  return false;
}

/** True for marks that people draw lines and tables with. */
function isBanner(piece: string): boolean {
  return /^[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e\u2500-\u257f]+$/.test(piece);
}

/** Turns that a piece of a line must have to be a loop; a person writes short pieces more often. */
function pieceTurns(period: number): number {
  if (period >= 10) return 5;
  return period >= 3 ? 7 : 12;
}
