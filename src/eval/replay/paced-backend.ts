/**
 * A real model at a set pace: its texts are its own, but in simulated time each comes when it is due,
 * however busy the machine is. So the same model can stand for a faster or slower server, and what
 * comes before the next key is the same in every run.
 */
import type { Backend, BackendEvent, BackendRequest } from "../../core/index.ts";
import { pause } from "./pause.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** In simulated milliseconds. */
export interface Pace {
  /** From the request to the first text. */
  readonly ttftMs: number;
  /** From one piece of text to the next. */
  readonly perTokenMs: number;
}

/** Wraps a backend. Time stands still while it works and runs on until its next event is due. */
export function paceBackend(backend: Backend, pace: Pace, clock: VirtualClock): Backend {
  async function* complete(
    request: BackendRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<BackendEvent> {
    const events = backend.complete(request, options)[Symbol.asyncIterator]();
    let dueMs = clock.now() + pace.ttftMs;
    try {
      while (true) {
        const { value, done } = await clock.heldUntil(events.next());
        if (done === true) return;
        if (value.kind === "text") {
          await pause(clock, Math.max(0, dueMs - clock.now()), options.signal);
          dueMs = clock.now() + pace.perTokenMs;
        }
        yield value;
      }
    } finally {
      await events.return?.();
    }
  }
  return {
    kind: backend.kind,
    address: backend.address,
    capabilities: backend.capabilities,
    listModels: (listing) => backend.listModels(listing),
    ...(backend.countTokens && { countTokens: backend.countTokens.bind(backend) }),
    complete,
  };
}
