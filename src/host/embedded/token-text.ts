/**
 * Tokens to text. A token may hold a part of a character; such bytes are kept until the rest came.
 */

/** Text of tokens that follow `before`, as the library gives it. */
export type Detokenize = (tokens: readonly number[], before: readonly number[]) => string;

/** Some vocabularies write a blank at the start unless they know what came before. */
const CONTEXT_TOKENS = 4;
/** A character has at most four bytes; more than that in bad bytes never becomes one. */
const MAX_HELD = 3;

const REPLACEMENT = "\ufffd";

/** The text of one answer, token by token. */
export class TokenText {
  readonly #detokenize: Detokenize;
  #before: readonly number[];
  #held: readonly number[] = [];

  /** `before`: the tokens of the prompt, of which the last few are used. */
  constructor(detokenize: Detokenize, before: readonly number[]) {
    this.#detokenize = detokenize;
    this.#before = before.slice(-CONTEXT_TOKENS);
  }

  /** The text that is whole after this token; `""` while a character is not. */
  push(token: number): string {
    const tokens = [...this.#held, token];
    const text = this.#detokenize(tokens, this.#before);
    if (text.endsWith(REPLACEMENT) && tokens.length <= MAX_HELD) {
      this.#held = tokens;
      return "";
    }
    this.#held = [];
    this.#before = [...this.#before, ...tokens].slice(-CONTEXT_TOKENS);
    return text;
  }

  /** What was held back, without the character that has no end. */
  end(): string {
    const text = this.#detokenize(this.#held, this.#before);
    this.#held = [];
    return text.replace(/\ufffd+$/, "");
  }
}
