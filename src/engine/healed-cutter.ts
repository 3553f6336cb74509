/**
 * The stop rules for an answer that begins with what was cut from the prompt (token healing): the
 * rules see the text after it. An answer that begins otherwise has missed the cut and ends at once.
 */
import type { StreamCutter, StreamText } from "../core/index.ts";

export class HealedCutter implements StreamCutter {
  readonly #forced: string;
  readonly #inner: StreamCutter;
  #arrived = "";
  #isMissed = false;

  /** `forced` is what the answer must begin with; `""` demands nothing. */
  constructor(forced: string, inner: StreamCutter) {
    this.#forced = forced;
    this.#inner = inner;
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
    const before = this.#arrived.length;
    if (before >= this.#forced.length) return this.#inner.push(chunk);
    this.#arrived += chunk;
    const length = Math.min(this.#arrived.length, this.#forced.length);
    if (this.#arrived.slice(0, length) !== this.#forced.slice(0, length)) {
      this.#isMissed = true;
      return { text: "", done: true };
    }
    return this.#inner.push(this.#arrived.slice(length));
  }

  finish(): string {
    if (this.#arrived.length < this.#forced.length) this.#isMissed = true;
    return this.#isMissed ? "" : this.#inner.finish();
  }
}
