/** Stop strings in a text that arrives in pieces. Empty ones are ignored. */
export class StopStrings {
  readonly #stops: readonly string[];

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== "");
  }

  /**
   * The stop string in `text` that is complete first, and of those that end together the longest;
   * `null` without one. `base` is added to its offsets.
   */
  find(text: string, base: number): { readonly start: number; readonly end: number } | null {
    let first: { readonly start: number; readonly end: number } | null = null;
    for (const stop of this.#stops) {
      const start = text.indexOf(stop);
      if (start < 0) continue;
      const end = start + stop.length;
      if (first === null || end < first.end || (end === first.end && start < first.start)) {
        first = { start, end };
      }
    }
    return first === null ? null : { start: base + first.start, end: base + first.end };
  }

  /** Length of the longest end of `text` with which a stop string begins; 0 without one. */
  beginningAtEnd(text: string): number {
    const last = text.charCodeAt(text.length - 1);
    let longest = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
        if (stop.charCodeAt(length - 1) !== last) continue;
        if (text.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
