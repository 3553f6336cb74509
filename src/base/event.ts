/** Removes what was added: a listener, a timer, a file watch. Calling it twice does nothing more. */
export type Dispose = () => void;

/** A list of listeners for one kind of event. Listeners are called in the order they were added. */
export class Emitter<T> {
  readonly #listeners = new Set<(event: T) => void>();

  /** Adds a listener and returns the function that removes it. */
  on(listener: (event: T) => void): Dispose {
    const own = (event: T): void => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /**
   * Calls every listener that was there when the event came and still is. One that throws stops
   * neither the others nor the caller.
   */
  emit(event: T): void {
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(event);
      } catch {
        // A listener's failure is its own: the emitter has nothing better to tell it.
      }
    }
  }

  /** Number of listeners; tests use it to prove that none leaks. */
  get listenerCount(): number {
    return this.#listeners.size;
  }
}
