/**
 * Which part of a document goes into the prompt.
 *
 * A window that slides with the cursor changes the prompt's beginning on every key, and with it
 * everything that a server keeps in its KV cache. So both far edges are anchors: they stay where they
 * are until the window overflows, and then move by an eighth to a quarter of it; typing recomputes
 * some five tokens for each one typed instead of the whole prompt. A fresh anchor falls on a round
 * line number, so that requests without history agree on it too.
 * Cost: O(window), whatever the length of the document or of its lines.
 */
import type { TextBuffer } from "../../base/text-buffer.ts";
import { headDifference } from "./head-difference.ts";
import type { TokenCounter } from "./tokens.ts";
import { freshEnd, freshStart, isBoundary } from "./window-edge.ts";

/** What is shown to the model, and all that the next window of the document needs to know. */
export interface PromptWindow {
  /** Text left of the cursor, whole lines from its start unless one line is over the limit. */
  readonly prefix: string;
  /** Text right of the cursor, or that of an earlier window which hardly differs. */
  readonly suffix: string;
  readonly prefixTokens: number;
  readonly suffixTokens: number;
  /** Offset of the first unit of `prefix`. */
  readonly start: number;
  /** Offset behind the last unit of the suffix as it stands in the document. */
  readonly end: number;
  /** True when `suffix` is an earlier one; the document's own begins at the cursor. */
  readonly isSuffixKept: boolean;
  /** The last units before `end`, by which the place is found again. */
  readonly endText: string;
  /** Length of the document. */
  readonly length: number;
}

/** A document, a cursor, and the limits. */
export interface WindowInput {
  readonly buffer: TextBuffer;
  /** Cursor. `RangeError` when it is outside the document. */
  readonly offset: number;
  readonly prefixTokens: number;
  readonly suffixTokens: number;
  readonly counter: TokenCounter;
  /** Keep an earlier suffix that hardly differs: worth it where what is typed comes after it. */
  readonly keepsSuffix: boolean;
}

/** A window that the cursor's movement left shorter than this share of its limit is made anew. */
const TOO_SHORT = 0.25;
/** So much of the text at an anchor must still be there for the anchor to be the same place. */
const PROBE_UNITS = 256;
/** The earlier suffix is kept while less than this share of its first tokens differs. */
const KEEP_SHARE = 0.1;
const KEEP_TOKENS = 50;

/** The next window of a document; `previous` is the last one of the same document, or `null`. */
export function nextWindow(previous: PromptWindow | null, input: WindowInput): PromptWindow {
  const { buffer, offset, counter } = input;
  const start =
    keptStart(previous, input) ?? freshStart(buffer, offset, input.prefixTokens, counter);
  const end = keptEnd(previous, input) ?? freshEnd(buffer, offset, input.suffixTokens, counter);
  const prefix = buffer.slice(start, offset);
  const suffix = buffer.slice(offset, end);
  const isSuffixKept =
    input.keepsSuffix &&
    previous !== null &&
    previous.suffix !== suffix &&
    previous.suffixTokens <= input.suffixTokens &&
    headDifference(previous.suffix, suffix, KEEP_TOKENS) < KEEP_SHARE;
  return {
    prefix,
    prefixTokens: counter.count(prefix),
    suffix: isSuffixKept ? previous.suffix : suffix,
    suffixTokens: isSuffixKept ? previous.suffixTokens : counter.count(suffix),
    start,
    end,
    isSuffixKept,
    endText: buffer.slice(Math.max(offset, end - PROBE_UNITS), end),
    length: buffer.length,
  };
}

/** The old start, moved with its text; `null` when the text is gone or the window no longer fits. */
function keptStart(previous: PromptWindow | null, input: WindowInput): number | null {
  if (previous === null) return null;
  const { buffer, offset, prefixTokens, counter } = input;
  // Edits behind the anchor leave its offset, edits before it shift it by what they added.
  for (const start of [previous.start, previous.start + buffer.length - previous.length]) {
    if (start < 0 || start > offset || !isBoundary(buffer, start)) continue;
    const probe = completeLines(previous.prefix.slice(0, PROBE_UNITS));
    const shown = buffer.slice(start, Math.min(offset, start + probe.length));
    if (!probe.startsWith(shown)) continue;
    const tokens = counter.count(buffer.slice(start, offset));
    const isTooShort = start > 0 && tokens < TOO_SHORT * prefixTokens;
    return tokens > prefixTokens || isTooShort ? null : start;
  }
  return null;
}

/** As `keptStart`, for the far edge of the suffix. */
function keptEnd(previous: PromptWindow | null, input: WindowInput): number | null {
  if (previous === null) return null;
  const { buffer, offset, suffixTokens, counter } = input;
  for (const end of [previous.end + buffer.length - previous.length, previous.end]) {
    if (end < offset || end > buffer.length || !isBoundary(buffer, end)) continue;
    const shown = buffer.slice(Math.max(offset, end - previous.endText.length), end);
    if (!previous.endText.endsWith(shown)) continue;
    const tokens = counter.count(buffer.slice(offset, end));
    const isTooShort = end < buffer.length && tokens < TOO_SHORT * suffixTokens;
    return tokens > suffixTokens || isTooShort ? null : end;
  }
  return null;
}

/** The lines of `text` that have their line end: what the cursor's own line cannot change. */
function completeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}
