/**
 * Vectors in one array, searched by looking at each: 20,000 vectors of 768 numbers take about 15 ms on one
 * core, which is well below what the embedding of a query takes.
 */
export class VectorList<T> {
  readonly #items: T[] = [];
  #numbers = new Float32Array(0);
  #dimension = 0;

  /** Vectors so far. */
  get length(): number {
    return this.#items.length;
  }

  /** Adds an item; false when its vector has another dimension than those before, or no length. */
  add(item: T, vector: ArrayLike<number>): boolean {
    if (this.#items.length === 0) this.#dimension = vector.length;
    const unit = unitOf(vector);
    if (unit === null || unit.length !== this.#dimension) return false;
    const at = this.#items.length * this.#dimension;
    if (at + unit.length > this.#numbers.length) {
      const grown = new Float32Array(Math.max(at + unit.length, this.#numbers.length * 2));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.set(unit, at);
    this.#items.push(item);
    return true;
  }

  /** The items most like a vector by cosine, best first; `[]` for one of another dimension. */
  nearest(
    vector: ArrayLike<number>,
    count: number,
  ): { readonly item: T; readonly score: number }[] {
    const query = unitOf(vector);
    if (query === null || query.length !== this.#dimension) return [];
    const best: { item: T; score: number }[] = [];
    for (const [i, item] of this.#items.entries()) {
      const at = i * this.#dimension;
      let score = 0;
      for (let j = 0; j < query.length; j++) {
        score += (this.#numbers[at + j] as number) * (query[j] as number);
      }
      const last = best[count - 1];
      if (last !== undefined && last.score >= score) continue;
      const place = best.findIndex((other) => other.score < score);
      best.splice(place < 0 ? best.length : place, 0, { item, score });
      if (best.length > count) best.pop();
    }
    return best;
  }
}

/** The vector at length one; `null` for one without a length, or with what is no number. */
function unitOf(vector: ArrayLike<number>): Float32Array | null {
  const unit = Float32Array.from(vector);
  const length = Math.hypot(...unit);
  return length > 0 && Number.isFinite(length) ? unit.map((value) => value / length) : null;
}
