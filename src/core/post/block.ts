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
  /** The cursor's line right of the cursor. */
  readonly tail: string;
  /** Lines below the cursor's line that are not blank, nearest first. */
  readonly linesBelow: readonly string[];
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
 * line that begins with `end`. Lines such as `else` go on with the same statement. Where the document
 * goes on further out, a text may leave its block as far as that (`demandedIndent`).
 * Cost: O(line) per line.
 */
export class BlockWatch {
  readonly #place: BlockPlace;
  readonly #bracketDepth: number;
  /** Lines that are indented less are no part of the text, whatever block they are in. */
  readonly #outermost: number;
  #closedAt = -1;
  #base = -1;
  #isFirst = true;
  #end = -1;

  constructor(place: BlockPlace, textStartsWithLineBreak: boolean) {
    this.#place = place;
    this.#bracketDepth = blockDepth(place, textStartsWithLineBreak);
    this.#outermost = demandedIndent(place);
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

  /**
   * True when a line after the closing one is neither closers alone, nor the statement's next part, nor
   * asked for by what stands below.
   */
  #isBeyondClosed(line: SeenLine): boolean {
    const content = line.text.trim();
    if (content === "" || isClosersOnly(content) || this.#continues(content)) return false;
    return indentWidthAt(line.text) < this.#outermost;
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
      this.#base = Math.min(Math.max(shown, indentWidthAt(head)), this.#outermost);
      if (isFirst) return false;
    }
    if (width >= this.#base) return false;
    const isOwnHeader = width === headerIndent(this.#place, this.#base);
    if (this.#continues(content) && isOwnHeader) return false;
    // What the document demands further out is inside of the block that such a line would close.
    const mayClose = isOwnHeader && this.#base < this.#outermost;
    const closes = mayClose && startsWithWord(content, language.blockEnds);
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

/**
 * The indentation that the line below the cursor demands. A statement that stands further out than the
 * cursor belongs to the same function, so what leads to it may leave the inner blocks as well; closers
 * and `else` belong to a block that must stay open. `Infinity` where nothing is demanded: inside a line, at the end
 * of the document, and before what begins something else, at the left margin or with a declaration.
 */
function demandedIndent({ language, tail, linesBelow }: BlockPlace): number {
  const below = linesBelow[0];
  if (tail.trim() !== "" || below === undefined || language.nature !== "code") return Infinity;
  const content = below.trim();
  const width = indentWidthAt(below);
  const words = [...language.continuations, ...language.blockEnds];
  if (isClosersOnly(content) || startsWithWord(content, words)) return width + 1;
  return width === 0 || startsWithWord(content, declarationWords) ? Infinity : width;
}

/** Words that begin a declaration in one language or another, and hardly ever another statement. */
const declarationWords = [
  ...["def", "class", "async def", "@", "function", "async function", "fn", "func", "fun"],
  ...["pub", "public", "private", "protected", "internal", "override", "abstract", "export"],
  ...["interface", "enum", "struct", "impl", "trait", "namespace", "module", "template"],
];

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
