import { type Dispose, Emitter } from "../base/event.ts";

/** A value that tells when it changed. */
export class Cell<T> {
  readonly #changed = new Emitter<T>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Stores the value and tells the listeners; an identical one changes nothing. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.#changed.emit(value);
  }

  /** Calls `listener` with the present value and after each change. */
  watch(listener: (value: T) => void): Dispose {
    listener(this.#value);
    return this.#changed.on(listener);
  }
}
