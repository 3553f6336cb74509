/**
 * Prompts as token ids through llama-server's `/tokenize`. Text is tokenised without control tokens,
 * so that nothing a file contains can become one, and sentinels must be exactly one token each.
 * Texts are cut into lines whose ids are remembered: on a key press only the line at the cursor is
 * sent (0.3 ms), not the whole prompt (3 ms for 9 kB).
 */
import { LruMap } from "../base/lru.ts";
import { CompletionError, type PromptPiece } from "../core/index.ts";
import {
  cutAfterLineEnds,
  cutBeforeLineEnds,
  cutNowhere,
  cutSample,
  type TokenCut,
} from "./token-cuts.ts";

/** What to tokenise: texts, or ids that stand for themselves. */
export interface TokenizeBody {
  readonly content: string | readonly (string | number)[];
  readonly add_special: boolean;
  readonly parse_special: boolean;
}

interface Cancellable {
  readonly signal: AbortSignal;
}

/** Asks the server. */
export type Tokenize = (body: TokenizeBody, options: Cancellable) => Promise<readonly number[]>;

/** What is known of a model's vocabulary once it was asked. */
interface Vocabulary {
  readonly bos: number | null;
  readonly cut: TokenCut;
}

/** Lines to remember, and their ids together: some 10 MB. */
const MAX_LINES = 20_000;
const MAX_IDS = 400_000;

export class LlamaTokenizer {
  readonly #tokenize: Tokenize;
  readonly #address: string;
  readonly #lines = new LruMap<string, readonly number[]>(MAX_LINES, {
    max: MAX_IDS,
    of: (ids) => ids.length,
  });
  readonly #sentinels = new Map<string, number>();
  #vocabulary: Vocabulary | null = null;

  constructor(tokenize: Tokenize, address: string) {
    this.#tokenize = tokenize;
    this.#address = address;
  }

  /** Forgets everything: the server may have another model now. */
  reset(): void {
    this.#lines.clear();
    this.#sentinels.clear();
    this.#vocabulary = null;
  }

  /**
   * The ids of a prompt, with the begin-of-text token where the model wants one. Throws
   * `MODEL_WITHOUT_FIM` when a sentinel is no token of the model.
   */
  async prompt(pieces: readonly PromptPiece[], options: Cancellable): Promise<readonly number[]> {
    const { bos, cut } = await this.#learn(options);
    const sentinels = pieces.filter(({ isSentinel }) => isSentinel).map(({ text }) => text);
    await Promise.all([...new Set(sentinels)].map((text) => this.#sentinel(text, options)));
    const parts = pieces.map((piece) => (piece.isSentinel ? piece : cut(piece.text)));
    const ids = await this.#texts(
      parts.flatMap((part) => ("text" in part ? [] : part)),
      options,
    );
    const all = parts.flatMap((part) =>
      "text" in part
        ? (this.#sentinels.get(part.text) ?? [])
        : part.flatMap((text) => ids.get(text) ?? []),
    );
    return bos === null || all[0] === bos ? all : [bos, ...all];
  }

  /** Number of tokens of plain text. */
  async count(text: string, options: Cancellable): Promise<number> {
    const { cut } = await this.#learn(options);
    const parts = cut(text);
    const ids = await this.#texts(parts, options);
    return parts.reduce((sum, part) => sum + (ids.get(part)?.length ?? 0), 0);
  }

  async #learn(options: Cancellable): Promise<Vocabulary> {
    if (this.#vocabulary !== null) return this.#vocabulary;
    const plain = { add_special: false, parse_special: false };
    const [beginning, whole, after, before] = await Promise.all([
      this.#tokenize({ content: "", add_special: true, parse_special: false }, options),
      this.#tokenize({ content: cutSample, ...plain }, options),
      this.#tokenize({ content: cutAfterLineEnds(cutSample), ...plain }, options),
      this.#tokenize({ content: cutBeforeLineEnds(cutSample), ...plain }, options),
    ]);
    const isWhole = (ids: readonly number[]): boolean => ids.join() === whole.join();
    const cut = isWhole(after)
      ? cutAfterLineEnds
      : isWhole(before)
        ? cutBeforeLineEnds
        : cutNowhere;
    this.#vocabulary = { bos: beginning[0] ?? null, cut };
    return this.#vocabulary;
  }

  async #sentinel(text: string, options: Cancellable): Promise<void> {
    if (this.#sentinels.has(text)) return;
    // SentencePiece vocabularies of CodeLlama hold `▁<PRE>` where its prompts have `<PRE>`.
    for (const spelling of [text, `\u2581${text}`]) {
      const ids = await this.#tokenize(
        { content: spelling, add_special: false, parse_special: true },
        options,
      );
      const [id] = ids;
      if (ids.length === 1 && id !== undefined) {
        this.#sentinels.set(text, id);
        return;
      }
    }
    throw new CompletionError(
      "MODEL_WITHOUT_FIM",
      `The model of ${this.#address} has no token ${text}; name its format with --format, or take a model that fills in the middle`,
    );
  }

  /** Ids of each text: remembered ones, and one request for all others. */
  async #texts(
    texts: readonly string[],
    options: Cancellable,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, readonly number[]>();
    const missing = new Set<string>();
    for (const text of texts) {
      const ids = text === "" ? [] : this.#lines.get(text);
      if (ids === undefined) missing.add(text);
      else found.set(text, ids);
    }
    if (missing.size === 0) return found;
    const lists = await this.#ask([...missing], options);
    [...missing].forEach((text, i) => {
      const ids = lists[i] ?? [];
      found.set(text, ids);
      this.#lines.set(text, ids);
    });
    return found;
  }

  /** A control token between the texts tells where one ends: no text contains it. */
  async #ask(
    texts: readonly string[],
    options: Cancellable,
  ): Promise<readonly (readonly number[])[]> {
    const plain = { add_special: false, parse_special: false };
    const [border] = this.#sentinels.values();
    if (border === undefined || texts.length === 1) {
      return Promise.all(texts.map((content) => this.#tokenize({ content, ...plain }, options)));
    }
    const content = texts.flatMap((text, i) => (i === 0 ? [text] : [border, text]));
    const lists: number[][] = [[]];
    for (const id of await this.#tokenize({ content, ...plain }, options)) {
      if (id === border) lists.push([]);
      else lists.at(-1)?.push(id);
    }
    return lists;
  }
}
