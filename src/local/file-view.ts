/**
 * The current document as the search sees it: tokens of the blocks around the cursor in one array,
 * with a hole where the middle is missing. Cost: proportional to the window (at most about 6,000
 * lines), of which all blocks but the cursor's are lexed once.
 */

import { isWordCode } from "../base/text.ts";
import type { TextBlock, TextBuffer } from "../base/text-buffer.ts";
import { type BlockTokenCache, type LineTokens, lexLines } from "./block-tokens.ts";
import { type Matches, TokenChains } from "./chained-tokens.ts";
import type { Lexer } from "./lexer.ts";
import { TokenBuffer } from "./token-buffer.ts";
import { HOLE, SEPARATOR, type Vocabulary } from "./vocabulary.ts";

const BLOCKS_BEFORE = 48;
const BLOCKS_AFTER = 12;
/** Imports and declarations at the top of the file stay in sight wherever the cursor is. */
const HEAD_BLOCKS = 1;
/** Units of the cursor's line that are lexed on each side of the cursor. */
const LINE_UNITS = 1000;

/** Where the cursor stands, in tokens. */
export interface CursorPlace {
  /** Index of the hole: the tokens before it are the context. */
  readonly hole: number;
  /** Index of the newline token of the cursor's line. */
  readonly lineToken: number;
  /** The word right before the cursor, its space included; `""` when there is none. */
  readonly word: string;
  /** The word right behind the cursor, of which `word` may be the other half; `""` for none. */
  readonly wordBehind: string;
  /** Id of `word` as a token; 0 when there is none. It is not among the context. */
  readonly wordToken: number;
  /** True when nothing but blanks stands before the cursor on its line, the word aside. */
  readonly atLineStart: boolean;
  /** Tokens behind the hole: the rest of the line, then the lines below. */
  readonly suffixStart: number;
  /** True when something other than blanks stands behind the cursor on its line. */
  readonly hasRest: boolean;
  /** Indentation of the cursor's line. */
  readonly indent: string;
}

export class FileView {
  readonly #vocabulary: Vocabulary;
  readonly #lexer: Lexer;
  readonly #cache: BlockTokenCache;
  readonly #buffer = new TokenBuffer(1 << 14);
  readonly #before = new TokenChains(1 << 14);
  readonly #after = new TokenChains(1 << 13);
  #indent = "";

  constructor(vocabulary: Vocabulary, lexer: Lexer, cache: BlockTokenCache) {
    this.#vocabulary = vocabulary;
    this.#lexer = lexer;
    this.#cache = cache;
  }

  /** The tokens of the view; valid until the next `show`. */
  get tokens(): Int32Array {
    return this.#buffer.tokens;
  }

  /** Index behind the last token. */
  get length(): number {
    return this.#buffer.length;
  }

  /** Looks at a place of a document. */
  show(document: TextBuffer, offset: number): CursorPlace {
    const buffer = this.#buffer;
    const index = document.blockIndexAt(offset);
    const block = document.blocks[index] as TextBlock;
    const local = offset - document.blockOffset(index);
    const lineStart = block.text.lastIndexOf("\n", local - 1) + 1;
    const newline = block.text.indexOf("\n", local);
    const lineEnd = newline < 0 ? block.text.length : newline;

    buffer.length = 0;
    buffer.push(SEPARATOR);
    this.#indent = "";
    const first = Math.max(0, index - BLOCKS_BEFORE);
    const headBlocks = Math.min(HEAD_BLOCKS, first);
    for (let i = 0; i < headBlocks; i++)
      this.#join(this.#cache.of(document.blocks[i] as TextBlock));
    if (headBlocks < first) {
      buffer.push(SEPARATOR);
      this.#indent = "";
    }
    for (let i = first; i < index; i++) this.#join(this.#cache.of(document.blocks[i] as TextBlock));
    if (lineStart > 0) this.#join(lexLines(this.#lexer, block.text, 0, lineStart - 1));

    const lineToken = buffer.length;
    const indent = this.#cursorLine(block.text, lineStart, local);
    const word = this.#takeWord(lineToken);
    const hole = buffer.length;
    buffer.push(HOLE);
    const suffixStart = buffer.length;
    const hasRest = this.#restOfLine(block.text, local, lineEnd);
    if (newline >= 0) {
      const below = lineEnd + 1;
      const blockEnd = block.text.length - (block.text.endsWith("\n") ? 1 : 0);
      if (below <= blockEnd) this.#join(lexLines(this.#lexer, block.text, below, blockEnd));
      const last = Math.min(document.blocks.length, index + 1 + BLOCKS_AFTER);
      for (let i = index + 1; i < last; i++) {
        this.#join(this.#cache.of(document.blocks[i] as TextBlock));
      }
    }
    buffer.push(SEPARATOR);
    this.#link(hole, suffixStart);
    return {
      hole,
      lineToken,
      word: word === 0 ? "" : this.#vocabulary.text(word),
      wordBehind: wordAtStart(block.text, local, lineEnd),
      wordToken: word,
      atLineStart: hole === lineToken + 1,
      suffixStart,
      hasRest,
      indent,
    };
  }

  /** Adds the places in the view that follow the last tokens of `context[0, end)`, nearest first. */
  find(context: Int32Array, end: number, matches: Matches): void {
    this.#before.find(this.tokens, context, end, { maxPairs: 192, maxSingles: 48 }, matches);
    this.#after.find(this.tokens, context, end, { maxPairs: 96, maxSingles: 24 }, matches);
  }

  /** True when a token stands in the view, the word at the cursor aside. */
  has(token: number): boolean {
    return this.#before.has(this.tokens, token) || this.#after.has(this.tokens, token);
  }

  /** Appends whole lines; their first newline token becomes the one against the line above. */
  #join(lines: LineTokens): void {
    const start = this.#buffer.length;
    this.#buffer.append(lines.tokens);
    if (lines.firstLine === null) return;
    this.#buffer.tokens[start + lines.firstLine.token] = this.#lexer.newlineBetween(
      this.#indent,
      lines.firstLine.indent,
    );
    this.#indent = lines.lastIndent;
  }

  /** Appends the cursor's line up to the cursor; returns its indentation. */
  #cursorLine(text: string, lineStart: number, cursor: number): string {
    const lexer = this.#lexer;
    if (cursor - lineStart > LINE_UNITS) {
      this.#buffer.push(SEPARATOR);
      lexer.lexPiece(text, cursor - LINE_UNITS, cursor, this.#buffer);
      return "";
    }
    lexer.indent = this.#indent;
    lexer.lex(text, lineStart, cursor, this.#buffer, { lastLineIsOpen: true });
    this.#indent = lexer.indent;
    return lexer.indent;
  }

  /** Takes a word, or a single space, off the end of the context; 0 when neither is there. */
  #takeWord(lineToken: number): number {
    const buffer = this.#buffer;
    const token = buffer.tokens[buffer.length - 1] as number;
    if (buffer.length - 1 <= lineToken) return 0;
    const last = this.#vocabulary.codeAt(token, this.#vocabulary.lengthOf(token) - 1);
    const isSpace = last === 32 && this.#vocabulary.lengthOf(token) === 1;
    if (!isSpace && !isWordCode(last)) return 0;
    buffer.length--;
    return token;
  }

  /** Appends what stands behind the cursor on its line; true when it is not blank. */
  #restOfLine(text: string, cursor: number, lineEnd: number): boolean {
    let end = lineEnd;
    while (end > cursor && text.charCodeAt(end - 1) <= 32) end--;
    if (end === cursor) return false;
    let start = cursor;
    // Blanks right behind the cursor are not what a candidate has to lead to.
    while (text.charCodeAt(start) <= 32) start++;
    this.#lexer.lexPiece(text, start, Math.min(end, start + LINE_UNITS), this.#buffer);
    return true;
  }

  #link(hole: number, suffixStart: number): void {
    const tokens = this.tokens;
    const length = this.#buffer.length;
    this.#before.clear();
    this.#before.reserve(length);
    for (let at = 2; at < hole; at++) this.#before.link(tokens, at);
    this.#after.clear();
    this.#after.reserve(length);
    for (let at = length - 1; at > suffixStart; at--) this.#after.link(tokens, at);
  }
}

/** Word units from a place on, a thousand at most. */
function wordAtStart(text: string, start: number, lineEnd: number): string {
  const limit = Math.min(lineEnd, start + LINE_UNITS);
  let end = start;
  while (end < limit && isWordCode(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}
