import type { Dispose } from "./event.ts";

/** A controller that follows other signals, and the function that unlinks it. */
export interface LinkedController {
  readonly controller: AbortController;
  /** Removes the listeners from the parents. Call it in `finally`. */
  readonly unlink: Dispose;
}

/**
 * A controller that aborts when one of `parents` does, with the parent's reason.
 * `AbortSignal.any` keeps about 58 bytes per call on a long-lived parent (measured on Node 20.20.2);
 * this keeps none once `unlink` was called.
 */
export function linkSignals(...parents: readonly (AbortSignal | undefined)[]): LinkedController {
  const controller = new AbortController();
  const removers: Dispose[] = [];
  for (const parent of parents) {
    if (parent === undefined) continue;
    if (parent.aborted) {
      controller.abort(parent.reason);
      break;
    }
    const follow = (): void => controller.abort(parent.reason);
    parent.addEventListener("abort", follow, { once: true });
    removers.push(() => parent.removeEventListener("abort", follow));
  }
  return {
    controller,
    unlink: () => {
      for (const remove of removers.splice(0)) remove();
    },
  };
}

/** True when `error` is the reason that `signal` was aborted with: a cancellation, not a failure. */
export function isAbort(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted &&
    (error === signal.reason || (error instanceof Error && error.name === "AbortError"))
  );
}
