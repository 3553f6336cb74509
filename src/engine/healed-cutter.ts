/**
 * The stop rules for an answer that begins with what was cut from the prompt (token healing): the
 * rules see the text after it. An answer that begins otherwise has missed the cut and ends at once.
 */
import { commonPrefixLength } from "../base/text.ts";
import type { StreamCutter, StreamText } from "../core/index.ts";

export class HealedCutter implements StreamCutter {
  readonly #forced: string;
  readonly #inner: StreamCutter;
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
    this.#mayBeMissing = options.isInLine && forced.trim() === "";
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
    if (met === this.#arrived.length && met < this.#forced.length) return this.#inner.push("");
    if (met < this.#forced.length && !this.#mayDoWithout(met)) {
      this.#isMissed = true;
      return { text: "", done: true };
    }
    this.#isMet = true;
    return this.#inner.push(this.#arrived.slice(met));
  }

  finish(): string {
    if (!this.#isMet && this.#forced !== "") this.#isMissed = true;
    return this.#isMissed ? "" : this.#inner.finish();
  }

  #mayDoWithout(met: number): boolean {
    return this.#mayBeMissing && !/^\s/.test(this.#arrived.slice(met));
  }
}
