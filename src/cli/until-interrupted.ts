/** A signal that aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
export interface Interrupted {
  readonly signal: AbortSignal;
  /** Stops listening. */
  readonly dispose: () => void;
}

export function untilInterrupted(): Interrupted {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
}
