import type { editor } from "./monaco.ts";

/** A key that changed nothing for this long has nothing to do with the change that follows. */
const FRESH_MS = 500;

/** Knows when the key was pressed that led to a question. */
export class KeyClock {
  #keyAt: number | null = null;
  #changedAt: number | null = null;

  /** Listens to the editor for as long as it lives. */
  constructor(codeEditor: editor.IStandaloneCodeEditor) {
    codeEditor.onKeyDown((event) => {
      this.#keyAt = event.browserEvent.timeStamp;
    });
    codeEditor.onDidChangeModelContent(() => {
      this.#changedAt = this.#freshKeyAt() ?? performance.now();
    });
  }

  /** Milliseconds on the clock of `performance.now`, once for each key; `null` when no key led here. */
  take(): number | null {
    const at = this.#changedAt ?? this.#freshKeyAt();
    this.#changedAt = null;
    this.#keyAt = null;
    return at;
  }

  #freshKeyAt(): number | null {
    const keyAt = this.#keyAt;
    return keyAt !== null && performance.now() - keyAt < FRESH_MS ? keyAt : null;
  }
}
