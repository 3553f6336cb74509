import type { TextBlock } from "../base/text-buffer.ts";
import { MAX_LINE_UNITS } from "./index-builder.ts";
import type { FirstLine, Lexer } from "./lexer.ts";
import { TokenBuffer } from "./token-buffer.ts";

/** The tokens of a run of whole lines, lexed as if nothing stood before. */
export interface LineTokens {
  readonly tokens: Int32Array;
  /** Its newline token is against no indentation: whoever joins runs puts in the right one. */
  readonly firstLine: FirstLine | null;
  /** Indentation of the last line that is not blank; `""` if all are. */
  readonly lastIndent: string;
}

/**
 * Tokens of blocks, kept as long as the block lives. Versions of a document share all blocks but
 * the edited one, so a key press lexes one block whatever the length of the document.
 */
export class BlockTokenCache {
  readonly #lexer: Lexer;
  readonly #blocks = new WeakMap<TextBlock, LineTokens>();

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** Tokens of a whole block. */
  of(block: TextBlock): LineTokens {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    // The line end that closes a block belongs to the first line of the next one.
    const end = block.text.length - (block.text.endsWith("\n") ? 1 : 0);
    const made = lexLines(this.#lexer, block.text, 0, end);
    this.#blocks.set(block, made);
    return made;
  }
}

/** Tokens of the lines `text[start, end)`. */
export function lexLines(lexer: Lexer, text: string, start: number, end: number): LineTokens {
  const buffer = new TokenBuffer(256);
  lexer.indent = "";
  lexer.lex(text, start, end, buffer, { maxLineUnits: MAX_LINE_UNITS });
  return { tokens: buffer.toArray(), firstLine: lexer.firstLine, lastIndent: lexer.indent };
}
