/** What the values of a map may weigh together, in any unit. */
export interface WeightLimit<V> {
  readonly max: number;
  /** Weight of one value; asked when it is stored and when it leaves. */
  readonly of: (value: V) => number;
}

/** A map that forgets its least recently used entries when it is full. All operations are O(1). */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #maxEntries: number;
  readonly #weightLimit: WeightLimit<V> | null;
  #weight = 0;

  /**
   * `maxEntries` ≥ 1, otherwise `RangeError`. With a weight limit the oldest entries go until the
   * rest is light enough; a value that is heavier than the limit alone is not kept.
   */
  constructor(maxEntries: number, weightLimit: WeightLimit<V> | null = null) {
    if (!(maxEntries >= 1))
      throw new RangeError(`maxEntries must be at least 1, got ${maxEntries}`);
    this.#maxEntries = maxEntries;
    this.#weightLimit = weightLimit;
  }

  /** Number of entries now held. */
  get size(): number {
    return this.#entries.size;
  }

  /** Weight of the entries now held; 0 without a weight limit. */
  get weight(): number {
    return this.#weight;
  }

  /** The value, now the most recently used; `undefined` when absent. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Stores the value as the most recently used and drops the oldest entries when over a limit. */
  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    const maxWeight = this.#weightLimit?.max ?? 0;
    while (this.#entries.size > this.#maxEntries || this.#weight > maxWeight) {
      const oldest = this.#entries.keys().next();
      if (oldest.done) return;
      this.delete(oldest.value);
    }
  }

  /** Removes the entry; false when it was absent. */
  delete(key: K): boolean {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#weight -= this.#weigh(value);
    return this.#entries.delete(key);
  }

  /** Removes every entry. */
  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  /** Values from the least to the most recently used. Does not count as use. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  #weigh(value: V): number {
    return this.#weightLimit?.of(value) ?? 0;
  }
}
