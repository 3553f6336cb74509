/**
 * The stop rules for an answer that begins with what was cut from the prompt (token healing): the
 * rules see the text after it. An answer that begins otherwise has missed the cut and ends at once, as
 * has one that goes on with more blanks where blanks alone were cut.
 */
import { commonPrefixLength } from "../base/text.ts";
import { isOnlyBlanks, type StreamCutter, type StreamText } from "../core/index.ts";

export class HealedCutter implements StreamCutter {
  readonly #forced: string;
  readonly #inner: StreamCutter;
  readonly #isBlank: boolean;
  readonly #mayBeMissing: boolean;
  #isMet = false;
  #arrived = "";
  #isMissed = false;

  /**
   * `forced` is what the answer must begin with; `""` demands nothing. Blanks inside a line may also
   * be missing: `x =` goes on with ` 1` or with `1`, and either is what stands after `x = `.
   */
  constructor(forced: string, inner: StreamCutter, options: { readonly isInLine: boolean }) {
    this.#forced = forced;
    this.#inner = inner;
    this.#isBlank = isOnlyBlanks(forced);
    this.#mayBeMissing = options.isInLine && this.#isBlank;
  }

  /** Units at the beginning of the answer that are demanded. */
  get forcedLength(): number {
    return this.#forced.length;
  }

  /** True when the answer began with something else. Before the answer has ended: so far. */
  get isMissed(): boolean {
    return this.#isMissed;
  }

  push(chunk: string): StreamText {
    if (this.#isMissed) return { text: "", done: true };
    if (this.#isMet) return this.#inner.push(chunk);
    this.#arrived += chunk;
    const met = commonPrefixLength(this.#arrived, this.#forced);
    const isAll = met === this.#forced.length;
    // What follows decides as well, where blanks were cut.
    if (met === this.#arrived.length && (!isAll || this.#isBlank)) return this.#inner.push("");
    const isBlankNext = this.#isBlank && /^\s/.test(this.#arrived.slice(met));
    if (isBlankNext || (!isAll && !this.#mayBeMissing)) {
      this.#isMissed = true;
      return { text: "", done: true };
    }
    this.#isMet = true;
    return this.#inner.push(this.#arrived.slice(met));
  }

  finish(): string {
    if (!this.#isMet && this.#arrived !== this.#forced) this.#isMissed = true;
    return this.#isMissed ? "" : this.#inner.finish();
  }
}
