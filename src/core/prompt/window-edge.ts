/** Where a window starts and ends when no earlier one can be kept. */
import { splitsPair } from "../../base/text.ts";
import type { TextBuffer } from "../../base/text-buffer.ts";
import type { TokenCounter } from "./tokens.ts";

/**
 * Share of the limit that a fresh window leaves free, so that it can grow before it moves. Twice as
 * much saves three tokens a key where a file does not fit, and costs right answers: `docs/evaluation.md`.
 */
const SLACK = 0.125;
/** A limit that was too high is lowered at least this far. */
const SHRINK = 0.9;
/** Inside an overlong line edges fall on multiples of this. */
const EDGE_UNITS = 256;
/** Blanks cost next to no tokens; this bounds the work. */
const MAX_UNITS_PER_TOKEN = 16;

/** The far edge of a window around a cursor, with the most tokens that it may hold. */
type Edge = (
  buffer: TextBuffer,
  offset: number,
  maxTokens: number,
  counter: TokenCounter,
) => number;

/** Start of the window before `offset`: that of the document, or one that leaves an eighth free. */
export const freshStart: Edge = (buffer, offset, maxTokens, counter) =>
  withinLimit(maxTokens, (limit) => {
    const start = startWithin(buffer, offset, limit, counter);
    return { edge: start, tokens: counter.count(buffer.slice(start, offset)) };
  });

/** End of the window behind `offset`: that of the document, or one that leaves an eighth free. */
export const freshEnd: Edge = (buffer, offset, maxTokens, counter) =>
  withinLimit(maxTokens, (limit) => {
    const end = endWithin(buffer, offset, limit, counter);
    return { edge: end, tokens: counter.count(buffer.slice(offset, end)) };
  });

/**
 * Lines are counted one by one, and their sum may be too low where the counter knows only longer
 * stretches of text exactly: then the limit for the lines shrinks until the whole is within it.
 */
function withinLimit(
  maxTokens: number,
  find: (limit: number) => { readonly edge: number; readonly tokens: number },
): number {
  for (let limit = maxTokens; ; ) {
    const { edge, tokens } = find(limit);
    if (tokens <= maxTokens || limit <= 1) return edge;
    limit = Math.floor(limit * Math.min(SHRINK, maxTokens / tokens));
  }
}

const startWithin: Edge = (buffer, offset, maxTokens, counter) => {
  const cursorLine = buffer.positionAt(offset).line;
  const maxUnits = maxTokens * MAX_UNITS_PER_TOKEN;
  if (offset <= maxUnits && counter.count(buffer.slice(0, offset)) <= maxTokens) return 0;
  const fitting = new FittingEdge(maxTokens);
  for (let line = cursorLine; ; line--) {
    const lineStart = buffer.lineStart(line);
    if (offset - lineStart > maxUnits) break;
    const lineEnd = line === cursorLine ? offset : buffer.lineStart(line + 1);
    if (!fitting.add(counter.count(buffer.slice(lineStart, lineEnd)), lineStart, line)) break;
    if (line === 0) return 0;
  }
  if (fitting.best !== null) return fitting.best;
  const lineStart = buffer.lineStart(cursorLine);
  const units = longest(Math.min(maxUnits, offset - lineStart), (length) =>
    fitting.leavesSlack(counter.count(buffer.slice(offset - length, offset))),
  );
  const cut = offset - units - lineStart;
  const rounded = lineStart + Math.ceil(cut / EDGE_UNITS) * EDGE_UNITS;
  const start = rounded < offset ? rounded : lineStart + cut;
  return isBoundary(buffer, start) ? start : start + 1;
};

const endWithin: Edge = (buffer, offset, maxTokens, counter) => {
  const cursorLine = buffer.positionAt(offset).line;
  const maxUnits = maxTokens * MAX_UNITS_PER_TOKEN;
  const { length } = buffer;
  if (length - offset <= maxUnits && counter.count(buffer.slice(offset, length)) <= maxTokens) {
    return length;
  }
  const fitting = new FittingEdge(maxTokens);
  const lineEnd = (line: number): number =>
    line + 1 < buffer.lineCount ? buffer.lineStart(line + 1) : buffer.length;
  for (let line = cursorLine; ; line++) {
    const end = lineEnd(line);
    if (end - offset > maxUnits) break;
    const from = line === cursorLine ? offset : buffer.lineStart(line);
    if (!fitting.add(counter.count(buffer.slice(from, end)), end, line + 1)) break;
    if (end === buffer.length) return end;
  }
  if (fitting.best !== null) return fitting.best;
  const units = longest(Math.min(maxUnits, lineEnd(cursorLine) - offset), (length) =>
    fitting.leavesSlack(counter.count(buffer.slice(offset, offset + length))),
  );
  const lineStart = buffer.lineStart(cursorLine);
  const rounded = lineStart + Math.floor((offset + units - lineStart) / EDGE_UNITS) * EDGE_UNITS;
  const end = rounded > offset ? rounded : offset + units;
  return isBoundary(buffer, end) ? end : end - 1;
};

/** False inside a surrogate pair. */
export function isBoundary(buffer: TextBuffer, offset: number): boolean {
  if (offset <= 0 || offset >= buffer.length) return true;
  return !splitsPair(buffer.slice(offset - 1, offset + 1), 1);
}

/**
 * Lines are added from the cursor outwards; the best edge that leaves the slack is remembered. Among
 * edges that use at least half of the limit it is the one at the roundest line number, so that windows
 * which know nothing of each other agree on it: of ten lines in a row one is a multiple of eight.
 */
class FittingEdge {
  readonly #maxTokens: number;
  #tokens = 0;
  #best: number | null = null;
  #roundness = 0;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  /** Takes the next line in, which ends the window at `edge`; false when it does not fit at all. */
  add(tokens: number, edge: number, line: number): boolean {
    this.#tokens += tokens;
    if (this.#tokens > this.#maxTokens) return false;
    if (!this.leavesSlack(this.#tokens)) return true;
    const isHalf = this.#tokens >= (1 - 2 * SLACK) * this.#maxTokens;
    // The lowest set bit: 8 for 24, 1 for odd numbers.
    const roundness = isHalf ? line & -line : 0;
    if (roundness >= this.#roundness) {
      this.#best = edge;
      this.#roundness = roundness;
    }
    return true;
  }

  leavesSlack(tokens: number): boolean {
    return tokens <= (1 - SLACK) * this.#maxTokens;
  }

  /** `null` when not even the cursor's own line leaves the slack. */
  get best(): number | null {
    return this.#best;
  }
}

/** Greatest length in `0..limit` that fits, by bisection. */
function longest(limit: number, fits: (length: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
