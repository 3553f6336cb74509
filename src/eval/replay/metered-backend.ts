/** A backend that remembers how each of its requests went: when, what it cost, and how it ended. */
import {
  type Backend,
  type BackendEvent,
  type BackendRequest,
  type Clock,
  CompletionError,
  type Usage,
} from "../../core/index.ts";

/** How a request ended. `cut`: its text was final, and the caller left. `aborted`: nobody wanted it. */
export type CallEnd = "running" | "done" | "cut" | "aborted" | "failed";

/** One request as it went by. Times are those of the clock. */
export interface MeteredCall {
  readonly isPrefetch: boolean;
  /** Tokens of the prompt as they were counted or estimated before it was sent. */
  readonly promptTokens: number;
  readonly startedAt: number;
  firstTextAt: number | null;
  endedAt: number | null;
  text: string;
  /** Pieces in which the text came: about one a token. */
  pieces: number;
  /** `null` where the caller left before the backend told. */
  usage: Usage | null;
  end: CallEnd;
  /** Code of the failure; `null` when it did not fail. */
  failure: string | null;
}

export interface CallMeter {
  readonly backend: Backend;
  /** Every request so far, oldest first. */
  readonly calls: readonly MeteredCall[];
  /** Requests that the backend works on. */
  readonly running: number;
}

/** Wraps a backend. `onRunning` hears whenever the number of running requests changes. */
export function meterBackend(
  backend: Backend,
  options: { readonly clock: Pick<Clock, "now">; readonly onRunning?: (running: number) => void },
): CallMeter {
  const { clock, onRunning = () => {} } = options;
  const calls: MeteredCall[] = [];
  let running = 0;
  const changeRunning = (by: number): void => {
    running += by;
    onRunning(running);
  };
  async function* complete(
    request: BackendRequest,
    call: { readonly signal: AbortSignal },
  ): AsyncGenerator<BackendEvent> {
    const metered = startedCall(request, clock.now());
    calls.push(metered);
    changeRunning(1);
    try {
      for await (const event of backend.complete(request, call)) {
        take(metered, event, clock.now());
        yield event;
      }
    } catch (error) {
      if (!call.signal.aborted) {
        metered.end = "failed";
        metered.failure = error instanceof CompletionError ? error.code : "unexpected";
      }
      throw error;
    } finally {
      metered.endedAt = clock.now();
      if (metered.end === "running") metered.end = call.signal.aborted ? "aborted" : "cut";
      changeRunning(-1);
    }
  }
  return {
    backend: {
      kind: backend.kind,
      address: backend.address,
      capabilities: backend.capabilities,
      listModels: (listing) => backend.listModels(listing),
      ...(backend.countTokens && { countTokens: backend.countTokens.bind(backend) }),
      complete,
    },
    calls,
    get running() {
      return running;
    },
  };
}

function startedCall(request: BackendRequest, startedAt: number): MeteredCall {
  return {
    isPrefetch: request.priority === "prefetch",
    promptTokens: request.prompt.tokens,
    startedAt,
    firstTextAt: null,
    endedAt: null,
    text: "",
    pieces: 0,
    usage: null,
    end: "running",
    failure: null,
  };
}

function take(call: MeteredCall, event: BackendEvent, now: number): void {
  if (event.kind === "done") {
    call.usage = event.usage;
    call.end = "done";
    return;
  }
  if (event.text === "") return;
  call.firstTextAt ??= now;
  call.text += event.text;
  call.pieces++;
}
