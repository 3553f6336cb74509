import { getPriority, setPriority } from "node:os";

/** As `nice` sets it. */
const LOW_PRIORITY = 10;

/**
 * Lets the calling thread stand back while it works hard. Linux keeps a priority for each thread and takes
 * 0 for the calling one (measured: the main thread stays as it is). Elsewhere the call would slow the whole
 * process down, so it is not made.
 */
export class ThreadPriority {
  #own: number | null = null;

  /** True when the thread has a low priority now; false: it has to rest instead. */
  lower(): boolean {
    if (this.#own !== null) return true;
    if (process.platform !== "linux") return false;
    try {
      const own = getPriority();
      setPriority(0, Math.max(LOW_PRIORITY, own));
      this.#own = own;
      return true;
    } catch {
      return false;
    }
  }

  /** Gives back what was lowered, as far as the system lets: only some users may raise a priority. */
  restore(): void {
    if (this.#own === null) return;
    try {
      setPriority(0, this.#own);
      this.#own = null;
    } catch {
      // It stays low: slower where the machine is busy, otherwise the same.
    }
  }
}
