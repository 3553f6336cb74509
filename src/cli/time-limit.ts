import { CompletionError } from "../core/index.ts";

/**
 * A signal that aborts with BACKEND_TIMEOUT after some time, so that whoever waited reads who was late
 * and what to do. It keeps no process alive.
 */
export function timeLimit(
  ms: number,
  late: { readonly who: string; readonly next: string },
): AbortSignal {
  const controller = new AbortController();
  const { who, next } = late;
  const error = new CompletionError("BACKEND_TIMEOUT", `${who} within ${ms / 1000} s; ${next}`);
  setTimeout(() => controller.abort(error), ms).unref();
  return controller.signal;
}
