/** Which block the cursor is in, and where a text leaves it. Shared by the filter and the stream. */
import type { Language } from "../language-table.ts";
import type { OpenBracket, Scope } from "../ports.ts";
import { indentWidthAt } from "../scope/indentation.ts";
import { isClosersOnly, startsWithWord } from "./lines.ts";

/** The place of the cursor as this file needs it. */
export interface BlockPlace {
  readonly scope: Scope;
  readonly language: Language;
  readonly prefix: string;
  readonly head: string;
}

/** One whole line of a text, seen in order. */
export interface SeenLine {
  readonly text: string;
  /** Offset in the text at which it starts. */
  readonly start: number;
  /** True when its start is neither in a string nor in a comment. */
  readonly startsInCode: boolean;
  readonly depthBefore: number;
  readonly depthAfter: number;
}

/**
 * Watches the lines of a text in order and says where it leaves the enclosing block.
 * A block in brackets ends with the line that closes its bracket; lines of closers alone may follow.
 * A block of indentation ends before the first line that is indented less, one of keywords after the
 * line that begins with `end`. Lines such as `else` go on with the same statement.
 * Cost: O(line) per line.
 */
export class BlockWatch {
  readonly #place: BlockPlace;
  readonly #bracketDepth: number;
  #closedAt = -1;
  #base = -1;
  #isFirst = true;
  #end = -1;

  constructor(place: BlockPlace, textStartsWithLineBreak: boolean) {
    this.#place = place;
    this.#bracketDepth = blockDepth(place, textStartsWithLineBreak);
  }

  /** Offset at which the text must end; -1 while it is inside the block. */
  get end(): number {
    return this.#end;
  }

  /** Sees the next line. Returns true when the text is over, at `end`. */
  see(line: SeenLine): boolean {
    if (this.#end >= 0) return true;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (line.startsInCode) {
      if (this.#closedAt >= 0 && !isFirst && this.#isBeyondClosed(line)) {
        this.#end = this.#closedAt;
        return true;
      }
      if (this.#leavesIndentation(line, isFirst)) return true;
    }
    const isClosed = this.#bracketDepth > 0 && line.depthAfter < this.#bracketDepth;
    const goesOn = line.startsInCode && !isFirst && this.#continues(line.text.trim());
    if (isClosed && !goesOn) this.#closedAt = line.start + line.text.length;
    else if (line.text.trim() !== "") this.#closedAt = -1;
    return false;
  }

  /** True when a line after the closing one is neither closers alone nor the statement's next part. */
  #isBeyondClosed(line: SeenLine): boolean {
    const content = line.text.trim();
    return content !== "" && !isClosersOnly(content) && !this.#continues(content);
  }

  #continues(content: string): boolean {
    return startsWithWord(content, this.#place.language.continuations);
  }

  #leavesIndentation(line: SeenLine, isFirst: boolean): boolean {
    const { language, head } = this.#place;
    const content = line.text.trim();
    if (content === "" || !this.#isJudgedByIndentation(line)) return false;
    const width = indentWidthAt(line.text);
    if (this.#base < 0) {
      // The block's indentation is that of the first line with content, but never less than what
      // stands before the cursor.
      const isBlank = head.trim() === "";
      const shown = isFirst ? indentWidthAt(isBlank ? head + line.text : head) : width;
      this.#base = Math.max(shown, indentWidthAt(head));
      if (isFirst) return false;
    }
    if (width >= this.#base) return false;
    const isOwnHeader = width === headerIndent(this.#place, this.#base);
    if (this.#continues(content) && isOwnHeader) return false;
    const closes = startsWithWord(content, language.blockEnds) && isOwnHeader;
    this.#end = closes ? line.start + line.text.length : Math.max(0, line.start - 1);
    return true;
  }

  /** Inside brackets indentation is layout; braces in a language of keywords are blocks, though. */
  #isJudgedByIndentation(line: SeenLine): boolean {
    const { language, scope } = this.#place;
    if (language.blocks === "indentation") return line.depthBefore === 0;
    if (language.blocks !== "keywords") return false;
    const innermost = scope.openBrackets[scope.openBrackets.length - 1];
    return (
      line.depthBefore === scope.openBrackets.length &&
      (innermost === undefined || innermost.open === "{")
    );
  }
}

/** Depth of brackets inside the innermost block that is open at the cursor; 0 when there is none. */
function blockDepth(place: BlockPlace, textStartsWithLineBreak: boolean): number {
  const { openBrackets } = place.scope;
  const lineStart = place.prefix.length - place.head.length;
  for (let i = openBrackets.length - 1; i >= 0; i--) {
    const bracket = openBrackets[i] as OpenBracket;
    if (!bracket.opensBlock || bracket.within !== null) continue;
    if (bracket.offset < lineStart || textStartsWithLineBreak) return i + 1;
  }
  return 0;
}

/** Indentation of the nearest line above that is indented less than `base`; -1 without one. */
function headerIndent(place: BlockPlace, base: number): number {
  const { prefix } = place;
  let end = prefix.length;
  for (let i = 0; i < 400 && end >= 0; i++) {
    const start = end === 0 ? 0 : prefix.lastIndexOf("\n", end - 1) + 1;
    const width = indentWidthAt(prefix, start);
    if (width < base && prefix.slice(start, end).trim() !== "") return width;
    end = start - 1;
  }
  return -1;
}
