import type { Clock } from "../core/index.ts";
import type { DocumentHistory } from "./document-history.ts";

/**
 * Waits before a language model is asked; false when a newer request of the document ended the wait.
 * Rejects with the reason of `signal`. A second wait of the same document must not start before the
 * first was ended through `history.stopWaiting`.
 */
export function waitForTurn(
  clock: Clock,
  history: DocumentHistory,
  options: { readonly ms: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const { ms, signal } = options;
  return new Promise<boolean>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      stopTimer();
      signal.removeEventListener("abort", abort);
      history.stopWaiting = null;
      settle();
    };
    const abort = (): void => finish(() => reject(signal.reason));
    const stopTimer = clock.after(ms, () => finish(() => resolve(true)));
    history.stopWaiting = () => finish(() => resolve(false));
    signal.addEventListener("abort", abort, { once: true });
  });
}
