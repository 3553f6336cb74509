/**
 * The yardstick: a plain back-off n-gram model over the indexed files. At each step the most frequent
 * next token after the longest context that was ever seen (up to four tokens), greedily to the end of
 * the line. No current file, no suffix, no beam, no chance. Positions are sorted by their reversed
 * left context, so a context of any length is one range. Build O(n log n), a step O(log n + range).
 */
import { codeTokens, isLineEnd } from "./code-token.ts";
import type { SourceFile } from "./source-file.ts";

const MAX_CONTEXT_TOKENS = 4;
const MAX_TOKENS = 40;
/** Separates files; no source text holds it as a token. */
const FILE_START = "\0";

export class NgramBaseline {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #tokens: Int32Array;
  /** Positions of `#tokens`, sorted by the tokens before them, nearest first. */
  readonly #order: Int32Array;

  constructor(files: readonly SourceFile[]) {
    const tokens: number[] = [];
    for (const file of files) {
      for (let i = 0; i < MAX_CONTEXT_TOKENS; i++) tokens.push(this.#idOf(FILE_START));
      for (const token of codeTokens(file.text)) tokens.push(this.#idOf(token));
    }
    tokens.push(this.#idOf(FILE_START));
    const data = Int32Array.from(tokens);
    this.#tokens = data;
    const order = Int32Array.from(
      { length: Math.max(0, data.length - MAX_CONTEXT_TOKENS) },
      (_, i) => {
        return i + MAX_CONTEXT_TOKENS;
      },
    );
    this.#order = order.sort((a, b) => {
      for (let back = 1; back <= MAX_CONTEXT_TOKENS; back++) {
        const difference = (data[a - back] as number) - (data[b - back] as number);
        if (difference !== 0) return difference;
      }
      return a - b;
    });
  }

  /** The rest of the line after `prefix`, of which a window of some lines is enough; `""` when unknown. */
  complete(prefix: string): string {
    const before = codeTokens(prefix);
    // A word at the cursor may go on or not: it is given back, and the first token must begin with it.
    const last = before.at(-1) ?? "";
    let typed = /[\p{L}\p{N}_$]$/u.test(last) ? last : "";
    if (typed !== "") before.pop();
    const context = before.slice(-MAX_CONTEXT_TOKENS).map((token) => this.#ids.get(token) ?? -1);
    let text = "";
    for (let i = 0; i < MAX_TOKENS; i++) {
      const id = this.#next(context, typed);
      const token = id === null ? "\n" : (this.#texts[id] as string);
      if (id === null || token === FILE_START || isLineEnd(token)) break;
      text += token.slice(typed.length);
      typed = "";
      context.push(id);
    }
    return text;
  }

  /** The most frequent token that begins with `typed`, after the longest context that has one. */
  #next(context: readonly number[], typed: string): number | null {
    for (let length = Math.min(MAX_CONTEXT_TOKENS, context.length); length >= 1; length--) {
      const wanted = context.slice(-length).reverse();
      const counts = new Map<number, number>();
      let best: number | null = null;
      const end = this.#lowerBound(wanted, 1);
      for (let at = this.#lowerBound(wanted, 0); at < end; at++) {
        const id = this.#tokens[this.#order[at] as number] as number;
        if (!(this.#texts[id] as string).startsWith(typed)) continue;
        const count = (counts.get(id) ?? 0) + 1;
        counts.set(id, count);
        if (best === null || count > (counts.get(best) as number)) best = id;
      }
      if (best !== null) return best;
    }
    return null;
  }

  /** First place whose reversed context is not below `wanted`; with `above` 1, the first above it. */
  #lowerBound(wanted: readonly number[], above: 0 | 1): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const position = this.#order[middle] as number;
      let difference = 0;
      for (let back = 0; back < wanted.length && difference === 0; back++) {
        difference = (this.#tokens[position - 1 - back] as number) - (wanted[back] as number);
      }
      if (difference < above) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #idOf(token: string): number {
    const known = this.#ids.get(token);
    if (known !== undefined) return known;
    const id = this.#texts.length;
    this.#ids.set(token, id);
    this.#texts.push(token);
    return id;
  }
}
