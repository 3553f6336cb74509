/**
 * One pass over text that keeps what is open: brackets, strings, template holes, comments.
 * It tolerates everything: a closer without a partner is skipped, one that fits an outer bracket
 * closes the inner ones too, a string without an end stops at its line's end.
 * Cost: O(length), about ten nanoseconds a character or less; comments are jumped over.
 */
import type { OpenBracket, Scope } from "../ports.ts";
import { indentWidthAt } from "./indentation.ts";
import type { Enclosure, LexicalRules } from "./lexical-rules.ts";
import { CharClass, enclosureOf, regexEnclosure } from "./lexical-rules.ts";
import {
  commentEnd,
  expectsOperand,
  mayStart,
  quotedCharacterEnd,
  rawLiteralAt,
  regexEndsOnLine,
} from "./literals.ts";

/** Told of every bracket outside strings and comments, when somebody listens. */
export interface BracketListener {
  /**
   * `depth` is the number of open brackets afterwards; `matched` is false for a closer without a
   * partner; `openedAt` is the offset of the partner of a closer, -1 without one.
   */
  bracket(offset: number, code: number, depth: number, openedAt: number): void;
  /** Text from `start` to `end` is a string or a comment. */
  enclosure(start: number, end: number, kind: "string" | "comment"): void;
}

interface StackEntry {
  readonly code: number;
  readonly offset: number;
  readonly indentWidth: number;
  opensBlock: boolean;
  /** The string to go back to when a hole closes. */
  readonly hole: Enclosure | null;
}

/** How far down a closer looks for its partner. */
const MAX_RECOVERY = 8;
export class Scanner {
  readonly #rules: LexicalRules;
  readonly #stack: StackEntry[] = [];
  #enclosure: Enclosure | null = null;
  #nesting = 0;
  #enclosureStart = 0;
  /** Index in the stack of a bracket after which nothing stood on its line yet; -1 for none. */
  #pending = -1;
  #lastCode = 10;
  #lineStart = 0;
  #firstLineIndent = 0;
  #base = 0;
  #unmatched = 0;
  #brokenStrings = 0;

  /** Starts in code with nothing open, or where `scope` says. */
  constructor(rules: LexicalRules, scope?: Scope) {
    this.#rules = rules;
    if (scope === undefined) return;
    for (const bracket of scope.openBrackets) {
      this.#stack.push({
        code: bracket.open.charCodeAt(bracket.open.length - 1),
        offset: bracket.offset,
        indentWidth: bracket.indentWidth,
        opensBlock: bracket.opensBlock,
        hole: bracket.within === null ? null : enclosureOf(rules, bracket.within),
      });
    }
    if (scope.delimiter !== null) this.#enclosure = enclosureOf(rules, scope.delimiter);
    this.#nesting = 1;
  }

  /** Closers that had no partner so far. */
  get unmatched(): number {
    return this.#unmatched;
  }

  /** Strings that their line's end cut so far. */
  get brokenStrings(): number {
    return this.#brokenStrings;
  }

  /** Number of open brackets. */
  get depth(): number {
    return this.#stack.length;
  }

  /** The string or comment that the end of the scanned text is in; `null` in code. */
  get enclosure(): Enclosure | null {
    return this.#enclosure;
  }

  /**
   * Scans the whole of `text`. `base` is added to the offsets that are reported; `firstLineIndent`
   * is the indentation width of the line on which `text` starts when it starts inside one.
   */
  scan(
    text: string,
    options: {
      readonly base?: number;
      readonly firstLineIndent?: number;
      readonly listener?: BracketListener;
    } = {},
  ): void {
    const { listener } = options;
    this.#base = options.base ?? 0;
    this.#firstLineIndent = options.firstLineIndent ?? -1;
    this.#lineStart = 0;
    this.#enclosureStart = 0;
    const { classes, plainClasses } = this.#rules;
    const end = text.length;
    let i = 0;
    while (i < end) {
      if (this.#enclosure !== null) {
        i = this.#insideEnclosure(text, i, this.#enclosure, listener);
        continue;
      }
      let code = text.charCodeAt(i);
      let kind = code < 128 ? (classes[code] as number) : CharClass.other;
      if (kind <= CharClass.blank) {
        // Nearly all text: run over it before anything else is looked at.
        let last = 0;
        do {
          if (kind === CharClass.other) last = code;
          if (++i === end) break;
          code = text.charCodeAt(i);
          kind = code < 128 ? (classes[code] as number) : CharClass.other;
        } while (kind <= CharClass.blank);
        if (last !== 0) {
          this.#settle(false);
          this.#lastCode = last;
        }
        continue;
      }
      if (kind === CharClass.mark) {
        const next = this.#mark(text, i, code);
        if (next > i) {
          i = next;
          continue;
        }
        kind = plainClasses[code] as number;
      }
      switch (kind) {
        case CharClass.lineEnd:
          this.#endLine(i);
          break;
        case CharClass.open:
          this.#push(text, i, code, null);
          listener?.bracket(this.#base + i, code, this.#stack.length, -1);
          this.#lastCode = code;
          break;
        case CharClass.close: {
          this.#settle(false);
          const openedAt = this.#close(code);
          this.#enclosureStart = i + 1;
          listener?.bracket(this.#base + i, code, this.#stack.length, openedAt);
          this.#lastCode = code;
          break;
        }
        default:
          this.#settle(false);
          this.#lastCode = code;
      }
      i++;
    }
    if (this.#enclosure !== null) {
      listener?.enclosure(
        this.#base + this.#enclosureStart,
        this.#base + end,
        this.#enclosure.kind,
      );
    }
  }

  /** What is open now. */
  scope(): Scope {
    const openBrackets: OpenBracket[] = [];
    for (let i = 0; i < this.#stack.length; i++) {
      const entry = this.#stack[i] as StackEntry;
      openBrackets.push({
        open: entry.hole === null ? String.fromCharCode(entry.code) : holeMark(entry),
        close: String.fromCharCode(closerOf(entry.code)),
        indentWidth: entry.indentWidth,
        opensBlock: entry.opensBlock || i === this.#pending,
        offset: entry.offset,
        within: entry.hole?.delimiter ?? null,
      });
    }
    return {
      region: this.#enclosure?.kind ?? "code",
      delimiter: this.#enclosure?.delimiter ?? null,
      openBrackets,
    };
  }

  /** Handles a character that can start a mark; returns where to go on, or `at` for "it does not". */
  #mark(text: string, at: number, code: number): number {
    const rules = this.#rules;
    if (code === 34 && rules.rawStyle !== null) {
      const raw = rawLiteralAt(rules, text, at);
      if (raw !== null) return this.#enter(raw.enclosure, at, raw.bodyStart);
    }
    if (code === 39 && rules.hasQuotedCharacters) {
      this.#settle(false);
      this.#lastCode = code;
      return quotedCharacterEnd(text, at);
    }
    const candidates = rules.marks.get(code);
    if (candidates !== undefined) {
      for (const enclosure of candidates) {
        const { delimiter } = enclosure;
        if (delimiter.length > 1 && !text.startsWith(delimiter, at)) continue;
        if (!mayStart(rules, text, at, enclosure)) continue;
        return this.#enter(enclosure, at, at + delimiter.length);
      }
    }
    if (code === 47 && rules.hasRegex && expectsOperand(text, at, this.#lastCode)) {
      if (regexEndsOnLine(text, at)) return this.#enter(regexEnclosure, at, at + 1);
    }
    return at;
  }

  #enter(enclosure: Enclosure, start: number, bodyStart: number): number {
    if (enclosure.kind === "string") {
      this.#settle(false);
      this.#lastCode = 34;
    }
    this.#enclosure = enclosure;
    this.#nesting = 1;
    this.#enclosureStart = start;
    return bodyStart;
  }

  #leave(at: number, listener: BracketListener | undefined): void {
    const { kind } = this.#enclosure as Enclosure;
    listener?.enclosure(this.#base + this.#enclosureStart, this.#base + at, kind);
    this.#enclosure = null;
  }

  #insideEnclosure(
    text: string,
    from: number,
    enclosure: Enclosure,
    listener: BracketListener | undefined,
  ): number {
    if (enclosure.kind === "comment") return this.#insideComment(text, from, enclosure, listener);
    const { close, escape: escaping, multiline, holes } = enclosure;
    const closeCode = close.charCodeAt(0);
    const isRegex = enclosure === regexEnclosure;
    let inClass = false;
    let i = from;
    while (i < text.length) {
      const code = text.charCodeAt(i);
      if (code === closeCode && !inClass && (close.length === 1 || text.startsWith(close, i))) {
        if (escaping === "doubled" && text.charCodeAt(i + 1) === closeCode) {
          i += 2;
          continue;
        }
        this.#leave(i + close.length, listener);
        return i + close.length;
      }
      if (code === 10) {
        if (!multiline) {
          this.#brokenStrings++;
          this.#leave(i, listener);
          return i;
        }
        this.#lineStart = i + 1;
        this.#firstLineIndent = -1;
      } else if (holes.length > 0) {
        const hole = holes.find((mark) => mark.charCodeAt(0) === code && text.startsWith(mark, i));
        if (hole !== undefined) {
          const at = i + hole.length - 1;
          listener?.enclosure(this.#base + this.#enclosureStart, this.#base + i, "string");
          this.#enclosure = null;
          this.#push(text, at, text.charCodeAt(at), enclosure);
          listener?.bracket(this.#base + at, text.charCodeAt(at), this.#stack.length, -1);
          this.#lastCode = text.charCodeAt(at);
          return at + 1;
        }
      }
      if (code === 92 && escaping === "backslash") {
        if (text.charCodeAt(i + 1) === 13 && text.charCodeAt(i + 2) === 10) i += 3;
        else i += 2;
        continue;
      }
      if (isRegex) {
        if (code === 91) inClass = true;
        else if (code === 93) inClass = false;
      }
      i++;
    }
    return text.length;
  }

  #insideComment(
    text: string,
    from: number,
    comment: Enclosure,
    listener: BracketListener | undefined,
  ): number {
    const { close } = comment;
    const found = commentEnd(text, from, comment, this.#nesting);
    this.#nesting = found.nesting;
    const { end } = found;
    if (end < 0) return text.length;
    if (!comment.multiline) {
      this.#leave(end, listener);
      return end;
    }
    // Looked for in the comment alone: a line without end must not be searched for each comment.
    let lineEnd = end;
    while (lineEnd >= from && text.charCodeAt(lineEnd) !== 10) lineEnd--;
    if (lineEnd >= from) this.#endLine(lineEnd);
    this.#leave(end + close.length, listener);
    return end + close.length;
  }

  #endLine(at: number): void {
    this.#settle(true);
    this.#lastCode = 10;
    this.#lineStart = at + 1;
    this.#firstLineIndent = -1;
  }

  /** Decides whether the bracket just opened opens a block. */
  #settle(opensBlock: boolean): void {
    if (this.#pending < 0) return;
    const entry = this.#stack[this.#pending];
    if (entry !== undefined && opensBlock) entry.opensBlock = true;
    this.#pending = -1;
  }

  #push(text: string, at: number, code: number, hole: Enclosure | null): void {
    this.#settle(false);
    const indentWidth =
      this.#lineStart === 0 && this.#firstLineIndent >= 0
        ? this.#firstLineIndent
        : indentWidthAt(text, this.#lineStart);
    this.#stack.push({ code, offset: this.#base + at, indentWidth, opensBlock: false, hole });
    this.#pending = this.#stack.length - 1;
  }

  /** Closes; returns the offset of the partner, or -1 when there is none. */
  #close(code: number): number {
    const stack = this.#stack;
    const lowest = Math.max(0, stack.length - MAX_RECOVERY);
    for (let i = stack.length - 1; i >= lowest; i--) {
      const entry = stack[i] as StackEntry;
      if (closerOf(entry.code) === code) {
        this.#unmatched += stack.length - 1 - i;
        stack.length = i;
        if (entry.hole !== null) this.#enclosure = entry.hole;
        return entry.offset;
      }
      if (entry.hole !== null) break;
    }
    this.#unmatched++;
    return -1;
  }
}

function closerOf(code: number): number {
  return code === 40 ? 41 : code + 2;
}

function holeMark(entry: StackEntry): string {
  const bracket = String.fromCharCode(entry.code);
  return entry.hole?.holes.find((mark) => mark.endsWith(bracket)) ?? bracket;
}
