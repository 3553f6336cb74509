/**
 * Which key press the panel tells of: always the newest one. What an older one still has to say is
 * dropped; what the newest one waits for is said only when it takes long enough to be read.
 */
import type { KeyPress } from "./key-press.ts";

/** A state that lasts less than this would only flicker: the local model answers long before. */
const READABLE_MS = 100;
/** Who types withdraws a question with each key; the next question comes within this time. */
const NEXT_KEY_MS = 400;

type Trigger = "automatic" | "invoked";

/** What `NewestKeyPress` needs from the page. */
export interface NewestPort {
  readonly onKeyPress: (keyPress: KeyPress) => void;
  /** Calls back once after so many milliseconds; the returned function cancels that. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** One key press that waits for its answer. Once a newer one came, both functions do nothing. */
export interface Question {
  /** Its end, said at once. */
  readonly ends: (keyPress: KeyPress) => void;
  /** Nobody wants the answer any more; said soon, since mostly the next key press is the reason. */
  readonly isWithdrawn: () => void;
}

export class NewestKeyPress {
  readonly #port: NewestPort;
  #turn = 0;
  #trigger: Trigger = "automatic";
  #cancelWaiting: (() => void) | null = null;
  #cancelWithdrawn: (() => void) | null = null;

  constructor(port: NewestPort) {
    this.#port = port;
  }

  /** A question was asked; from now on it is the newest. */
  asks(trigger: Trigger): Question {
    const turn = ++this.#turn;
    this.#trigger = trigger;
    this.#cancelWithdrawn?.();
    // The clock runs from the first key press without an answer: fast typing must not hold it back.
    this.#cancelWaiting ??= this.#port.after(READABLE_MS, () => {
      this.#cancelWaiting = null;
      this.#port.onKeyPress({ kind: "waiting", trigger: this.#trigger });
    });
    return {
      ends: (keyPress) => {
        if (turn === this.#turn) this.#say(keyPress);
      },
      isWithdrawn: () => {
        if (turn === this.#turn) this.#withdraw();
      },
    };
  }

  /** A key press that needs no answer from the server. */
  needsNoAnswer(keyPress: KeyPress): void {
    this.#turn++;
    this.#say(keyPress);
  }

  /** From here on no question that was asked before is told of. */
  forget(): void {
    this.#turn++;
    this.#stop();
  }

  #say(keyPress: KeyPress): void {
    this.#stop();
    this.#port.onKeyPress(keyPress);
  }

  #withdraw(): void {
    this.#cancelWithdrawn?.();
    this.#cancelWithdrawn = this.#port.after(NEXT_KEY_MS, () => this.#say({ kind: "withdrawn" }));
  }

  #stop(): void {
    this.#cancelWaiting?.();
    this.#cancelWithdrawn?.();
    this.#cancelWaiting = null;
    this.#cancelWithdrawn = null;
  }
}
