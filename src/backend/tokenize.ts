/** llama.cpp's `POST /tokenize`, as the code that needs it sees it. */

/** What to tokenise: texts, or ids that stand for themselves. */
export interface TokenizeBody {
  readonly content: string | readonly (string | number)[];
  readonly add_special: boolean;
  readonly parse_special: boolean;
}

export interface Cancellable {
  readonly signal: AbortSignal;
}

/** Asks the server. */
export type Tokenize = (body: TokenizeBody, options: Cancellable) => Promise<readonly number[]>;
