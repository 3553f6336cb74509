/** Requests that use one KV cache, one after the other. */

/** Holds at most one current item; others wait in order, urgent ones before the rest. */
export class Lane<T> {
  readonly #urgent: T[] = [];
  readonly #waiting: T[] = [];
  #current: T | null = null;

  /** What the cache is used for now; `null` when it is free. */
  get current(): T | null {
    return this.#current;
  }

  /** True when something waits and the cache is free. */
  get isReady(): boolean {
    return this.#current === null && this.#urgent.length + this.#waiting.length > 0;
  }

  add(item: T, isUrgent: boolean): void {
    (isUrgent ? this.#urgent : this.#waiting).push(item);
  }

  /** Makes the first one that waits the current one; `null` when none may be. */
  next(): T | null {
    if (!this.isReady) return null;
    this.#current = this.#urgent.shift() ?? this.#waiting.shift() ?? null;
    return this.#current;
  }

  /** Removes one that waits; false when it does not. */
  drop(item: T): boolean {
    for (const list of [this.#urgent, this.#waiting]) {
      const index = list.indexOf(item);
      if (index >= 0) return list.splice(index, 1).length > 0;
    }
    return false;
  }

  /** The cache is free again; returns what used it. */
  free(): T | null {
    const current = this.#current;
    this.#current = null;
    return current;
  }

  /** Removes and returns all that wait. */
  clear(): readonly T[] {
    return [...this.#urgent.splice(0), ...this.#waiting.splice(0)];
  }
}
