/**
 * Prompts as token ids through llama-server's `/tokenize`. Text is tokenised without control tokens,
 * so that nothing a file contains can become one, and sentinels must be exactly one token each.
 * Texts are cut into lines whose ids are remembered: on a key press only the line at the cursor is
 * sent (0.3 ms), not the whole prompt (3 ms for 9 kB).
 */
import { LruMap } from "../base/lru.ts";
import { CompletionError, type PromptPiece, telltaleTokens } from "../core/index.ts";
import {
  cutAfterLineEnds,
  cutBeforeLineEnds,
  cutNowhere,
  cutSample,
  type TokenCut,
} from "./token-cuts.ts";
import { lookUpTokens } from "./token-lookup.ts";
import type { Cancellable, Tokenize } from "./tokenize.ts";

/** What is known of a model's vocabulary once it was asked. */
interface Vocabulary {
  readonly bos: number | null;
  readonly cut: TokenCut;
  /** A control token, which no text contains; `null` when none is known, and nothing is cut then. */
  readonly border: number | null;
}

const noIds: readonly number[] = [];

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
    const vocabulary = await this.#learn(options);
    const { bos, cut } = vocabulary;
    const sentinels = pieces.filter(({ isSentinel }) => isSentinel).map(({ text }) => text);
    await this.#learnSentinels(sentinels, options);
    const texts = pieces.map((piece) => (piece.isSentinel ? [] : cut(piece.text)));
    const lists = await this.#lists(texts.flat(), vocabulary, options);
    const ids: number[] = bos === null || pieces.length === 0 ? [] : [bos];
    let next = 0;
    pieces.forEach((piece, i) => {
      const sentinel = piece.isSentinel ? this.#sentinels.get(piece.text) : undefined;
      if (sentinel !== undefined && !(ids.length === 1 && sentinel === bos)) ids.push(sentinel);
      // Loops: this runs on each key press, over thousands of ids.
      for (let left = texts[i]?.length ?? 0; left > 0; left--) {
        for (const id of lists[next++] ?? []) ids.push(id);
      }
    });
    return ids;
  }

  /** Number of tokens of plain text. */
  async count(text: string, options: Cancellable): Promise<number> {
    const vocabulary = await this.#learn(options);
    const lists = await this.#lists(vocabulary.cut(text), vocabulary, options);
    return lists.reduce((sum, ids) => sum + ids.length, 0);
  }

  async #learn(options: Cancellable): Promise<Vocabulary> {
    if (this.#vocabulary !== null) return this.#vocabulary;
    const plain = { add_special: false, parse_special: false };
    const [beginning, whole, after, before, sentinels] = await Promise.all([
      this.#tokenize({ content: "", add_special: true, parse_special: false }, options),
      this.#tokenize({ content: cutSample, ...plain }, options),
      this.#tokenize({ content: cutAfterLineEnds(cutSample), ...plain }, options),
      this.#tokenize({ content: cutBeforeLineEnds(cutSample), ...plain }, options),
      lookUpTokens(this.#tokenize, telltaleTokens, options),
    ]);
    for (const [text, id] of sentinels) this.#sentinels.set(text, id);
    const [border = null] = sentinels.values();
    const isWhole = (ids: readonly number[]): boolean =>
      border !== null && ids.join() === whole.join();
    const cut = isWhole(after)
      ? cutAfterLineEnds
      : isWhole(before)
        ? cutBeforeLineEnds
        : cutNowhere;
    this.#vocabulary = { bos: beginning[0] ?? null, cut, border };
    return this.#vocabulary;
  }

  /** Learns the ids of sentinels that it does not know yet. */
  async #learnSentinels(texts: readonly string[], options: Cancellable): Promise<void> {
    const unknown = [...new Set(texts)].filter((text) => !this.#sentinels.has(text));
    if (unknown.length === 0) return;
    const ids = await lookUpTokens(this.#tokenize, unknown, options);
    for (const text of unknown) {
      const id = ids.get(text);
      if (id === undefined) {
        throw new CompletionError(
          "MODEL_WITHOUT_FIM",
          `The model of ${this.#address} has no token ${text}; name its format with --format, or take a model that fills in the middle`,
        );
      }
      this.#sentinels.set(text, id);
    }
  }

  /** Ids of each text: remembered ones, and one request for all others. */
  async #lists(
    texts: readonly string[],
    vocabulary: Vocabulary,
    options: Cancellable,
  ): Promise<readonly (readonly number[])[]> {
    const lists = texts.map((text) => (text === "" ? noIds : this.#lines.get(text)));
    const missing = new Set<string>();
    lists.forEach((ids, i) => {
      if (ids === undefined) missing.add(texts[i] ?? "");
    });
    if (missing.size > 0) {
      const answers = await this.#ask([...missing], vocabulary, options);
      const found = new Map([...missing].map((text, i) => [text, answers[i] ?? noIds]));
      for (const [text, ids] of found) this.#lines.set(text, ids);
      return lists.map((ids, i) => ids ?? found.get(texts[i] ?? "") ?? noIds);
    }
    return lists.map((ids) => ids ?? noIds);
  }

  /** A control token between the texts tells where one ends. */
  async #ask(
    texts: readonly string[],
    { border }: Vocabulary,
    options: Cancellable,
  ): Promise<readonly (readonly number[])[]> {
    const plain = { add_special: false, parse_special: false };
    const each = (): Promise<readonly (readonly number[])[]> =>
      Promise.all(texts.map((content) => this.#tokenize({ content, ...plain }, options)));
    if (border === null || texts.length === 1) return each();
    const content = texts.flatMap((text, i) => (i === 0 ? [text] : [border, text]));
    const lists: number[][] = [[]];
    for (const id of await this.#tokenize({ content, ...plain }, options)) {
      if (id === border) lists.push([]);
      else lists.at(-1)?.push(id);
    }
    // Should the border be an ordinary token after all, the texts are asked for one by one.
    return lists.length === texts.length ? lists : each();
  }
}
