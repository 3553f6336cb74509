/** Prompts as tokens: text is text, whatever it looks like, and a sentinel is exactly one token. */
import { LruMap } from "../../base/lru.ts";
import { CompletionError, type PromptPiece } from "../../core/index.ts";
import type { DraftTexts } from "./draft-source.ts";
import type { EngineModel } from "./engine-library.ts";

/** A prompt as it crosses to the engine; see `FimPrompt`. */
export interface EnginePrompt {
  /** A text instead of pieces is parsed for sentinels, whoever wrote them. */
  readonly pieces: readonly PromptPiece[] | string;
  /** `null` when nothing stands before the cursor. */
  readonly cursorPiece: number | null;
}

/** A prompt in tokens, whole and by what drafts are made of. */
export interface TokenizedPrompt extends Omit<DraftTexts, "candidates"> {
  readonly tokens: readonly number[];
}

/** From one key press to the next all pieces but one are the same. */
const MAX_PIECES = 256;
const MAX_TOKENS = 400_000;

export class PromptTokenizer {
  readonly #model: EngineModel;
  readonly #texts = new LruMap<string, readonly number[]>(MAX_PIECES, {
    max: MAX_TOKENS,
    of: (tokens) => tokens.length,
  });
  readonly #sentinels = new Map<string, number>();

  constructor(model: EngineModel) {
    this.#model = model;
  }

  /** Begins with the model's own begin-of-text token where it wants one. Throws `MODEL_WITHOUT_FIM`. */
  prompt({ pieces, cursorPiece }: EnginePrompt): TokenizedPrompt {
    if (typeof pieces === "string") {
      const tokens = this.#model.tokenize(pieces, true);
      return { tokens: this.#begun(tokens), before: tokens, others: [] };
    }
    const lists = pieces.map(({ isSentinel, text }) =>
      isSentinel ? [this.#sentinel(text)] : this.text(text),
    );
    return {
      tokens: this.#begun(lists.flat()),
      before: cursorPiece === null ? [] : (lists[cursorPiece] ?? []),
      others: lists.filter((_, i) => i !== cursorPiece && pieces[i]?.isSentinel === false),
    };
  }

  /** Tokens of plain text. */
  text(text: string): readonly number[] {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const tokens = this.#model.tokenize(text, false);
    this.#texts.set(text, tokens);
    return tokens;
  }

  #begun(tokens: readonly number[]): readonly number[] {
    const { bos, shouldPrependBosToken } = this.#model.tokens;
    const writesBos = shouldPrependBosToken && bos !== null && tokens[0] !== bos;
    return writesBos ? [bos, ...tokens] : tokens;
  }

  #sentinel(text: string): number {
    const known = this.#sentinels.get(text);
    if (known !== undefined) return known;
    // SentencePiece vocabularies of CodeLlama hold `▁<PRE>` where its prompts have `<PRE>`.
    for (const spelling of [text, `\u2581${text}`]) {
      const [token, ...rest] = this.#model.tokenize(spelling, true);
      if (token === undefined || rest.length > 0) continue;
      this.#sentinels.set(text, token);
      return token;
    }
    throw new CompletionError(
      "MODEL_WITHOUT_FIM",
      `The model has no token ${text}; name its format with --format, or take a model that fills in the middle`,
    );
  }
}
