/** Items that one side puts in and the other takes out in order, until one of them fails it. */
export class EventQueue<T> {
  readonly #items: T[] = [];
  #failure: { readonly reason: unknown } | null = null;
  #wake: (() => void) | null = null;

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** From now on `next` rejects with `reason`; items that nobody took are lost. The first one counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake?.();
  }

  /** The next item, as soon as there is one. One caller at a time. */
  async next(): Promise<T> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.reason;
      const item = this.#items.shift();
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
