/** A map that forgets its least recently used entry when it is full. All operations are O(1). */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #maxEntries: number;

  /** `maxEntries` ≥ 1, otherwise `RangeError`. */
  constructor(maxEntries: number) {
    if (!(maxEntries >= 1))
      throw new RangeError(`maxEntries must be at least 1, got ${maxEntries}`);
    this.#maxEntries = maxEntries;
  }

  /** Number of entries now held. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value, now the most recently used; `undefined` when absent. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Stores the value as the most recently used and drops the oldest entry when over the limit. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#maxEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
  }

  /** Removes the entry; false when it was absent. */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  /** Removes every entry. */
  clear(): void {
    this.#entries.clear();
  }

  /** Values from the least to the most recently used. Does not count as use. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
