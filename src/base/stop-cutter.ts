/**
 * Cuts a stream of text before the stop string that is complete first. Servers do so themselves,
 * but some take only four of them, some return the text of the stop, and some ignore them. Text
 * that may be the beginning of a stop is held back until the next piece tells.
 *
 * Invariant: the result does not depend on how the stream is cut into pieces. That is why the stop
 * that ends first decides, not the one that begins first: the latter may not have arrived yet.
 */
export class StopCutter {
  readonly #stops: readonly string[];
  #held = "";
  #isStopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== "");
  }

  /** True once a stop was found; nothing comes after it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The text that is certain after this piece. */
  push(piece: string): string {
    if (this.#isStopped) return "";
    const text = this.#held + piece;
    const stopStart = this.#stopStart(text);
    if (stopStart !== undefined) {
      this.#isStopped = true;
      this.#held = "";
      return text.slice(0, stopStart);
    }
    const certain = text.length - this.#longestBeginning(text);
    this.#held = text.slice(certain);
    return text.slice(0, certain);
  }

  /** What was held back, when the stream is over without a stop. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** Where the stop begins that ends first, the longest one if several end there. */
  #stopStart(text: string): number | undefined {
    let firstEnd = Number.POSITIVE_INFINITY;
    let stopStart: number | undefined;
    for (const stop of this.#stops) {
      const start = text.indexOf(stop);
      if (start < 0) continue;
      const end = start + stop.length;
      if (stopStart !== undefined && (end > firstEnd || (end === firstEnd && start > stopStart))) {
        continue;
      }
      firstEnd = end;
      stopStart = start;
    }
    return stopStart;
  }

  /** Length of the longest end of `text` that begins a stop. */
  #longestBeginning(text: string): number {
    let longest = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
