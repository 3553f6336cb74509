/** Where brackets, strings and comments stand in a text that continues a known scope. */
import type { CursorRegion, Scope } from "../ports.ts";
import { indentWidthAt } from "./indentation.ts";
import { lexicalRulesOf } from "./lexical-rules.ts";
import { Scanner } from "./scanner.ts";

/** One bracket outside strings and comments. */
export interface BracketEvent {
  readonly offset: number;
  readonly bracket: string;
  readonly opens: boolean;
  /** Open brackets afterwards, those of the scope before the text included. */
  readonly depth: number;
  /** Offset of a closer's partner: negative when it stands before the text; `null` without one. */
  readonly partner: number | null;
}

/** One line of a text. */
export interface TextLine {
  /** Offset of its first unit and of its line end (or the text's end). */
  readonly start: number;
  readonly end: number;
  /** What the start of the line is in. */
  readonly region: CursorRegion;
  /** Open brackets at its start and at its end. */
  readonly depthBefore: number;
  readonly depthAfter: number;
}

/** The structure of one text. Offsets count from its start. */
export interface TextStructure {
  readonly brackets: readonly BracketEvent[];
  readonly lines: readonly TextLine[];
  /** Closers without a partner, and openers that a wrong closer skipped. */
  readonly unmatched: number;
  /** Strings that a line's end cut. */
  readonly brokenStrings: number;
  /** What is open at the end. */
  readonly end: Scope;
}

/**
 * Structure of `text` (line ends `\n`), which stands where `scope` holds, after `head` on its line.
 * Offsets of the brackets in `scope` must be relative to a text that ends where `text` starts, of
 * length `before`. Cost: O(text).
 */
export function structureOf(
  text: string,
  options: {
    readonly scope: Scope;
    readonly languageId: string;
    readonly head: string;
    readonly before: number;
  },
): TextStructure {
  const { scope, languageId, head, before } = options;
  const scanner = new Scanner(lexicalRulesOf(languageId), scope);
  const brackets: BracketEvent[] = [];
  const enclosures: { start: number; end: number; kind: CursorRegion }[] = [];
  const firstLineIndent = head.trim() === "" ? indentWidthAt(head + text) : indentWidthAt(head);
  scanner.scan(text, {
    base: before,
    firstLineIndent,
    listener: {
      bracket: (offset, code, depth, openedAt) => {
        brackets.push({
          offset: offset - before,
          bracket: String.fromCharCode(code),
          opens: code === 40 || code === 91 || code === 123,
          depth,
          partner: openedAt < 0 ? null : openedAt - before,
        });
      },
      enclosure: (start, end, kind) => {
        enclosures.push({ start: start - before, end: end - before, kind });
      },
    },
  });
  return {
    brackets,
    lines: linesOf(text, scope, brackets, enclosures),
    unmatched: scanner.unmatched,
    brokenStrings: scanner.brokenStrings,
    end: scanner.scope(),
  };
}

function linesOf(
  text: string,
  scope: Scope,
  brackets: readonly BracketEvent[],
  enclosures: readonly { start: number; end: number; kind: CursorRegion }[],
): TextLine[] {
  const lines: TextLine[] = [];
  let depth = scope.openBrackets.length;
  let nextBracket = 0;
  let nextEnclosure = 0;
  for (let start = 0; ; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const depthBefore = depth;
    for (let event = brackets[nextBracket]; event !== undefined && event.offset < end; ) {
      depth = event.depth;
      event = brackets[++nextBracket];
    }
    let enclosure = enclosures[nextEnclosure];
    while (enclosure !== undefined && enclosure.end <= start) {
      // A line comment ends at its line end, which a block comment may touch too.
      enclosure = enclosures[++nextEnclosure];
    }
    const region: CursorRegion =
      start === 0
        ? scope.region
        : enclosure !== undefined && enclosure.start < start
          ? enclosure.kind
          : "code";
    lines.push({ start, end, region, depthBefore, depthAfter: depth });
    if (lineEnd < 0) return lines;
    start = lineEnd + 1;
  }
}
