/** The one place where an editor's cancellation token becomes a signal. */
import type { CancellationToken } from "vscode-languageserver/node";
import type { Dispose } from "../base/event.ts";

/** A signal that aborts with the token, and the function that unlinks them. */
export function signalOfToken(token: CancellationToken): {
  readonly signal: AbortSignal;
  readonly unlink: Dispose;
} {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(new Error("cancelled by the client"));
  if (token.isCancellationRequested) cancel();
  const listener = token.onCancellationRequested(cancel);
  return { signal: controller.signal, unlink: () => listener.dispose() };
}
