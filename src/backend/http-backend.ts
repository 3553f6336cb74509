import type { Backend, BackendCapabilities, BackendRequest } from "../core/index.ts";
import { completionEvents, type WireEvent } from "./completion-stream.ts";
import type { Call, Connection, Framing } from "./connection.ts";

interface Cancellable {
  readonly signal: AbortSignal;
}

/** What is peculiar to one kind of server; everything else is the same for all. */
export interface Adapter {
  readonly kind: string;
  readonly capabilities: BackendCapabilities;
  readonly framing: Framing;
  /** The POST for a request: fields from a fixed list, whatever a caller may have sent us. */
  readonly call: (request: BackendRequest, options: Cancellable) => Call | Promise<Call>;
  readonly read: (value: unknown) => WireEvent;
  /** The value after which nothing of interest comes. Absent: the stream tells by `[DONE]`. */
  readonly isLast?: (value: unknown) => boolean;
  readonly listModels: (options: Cancellable) => Promise<readonly string[]>;
  /** Called after an answer that failed, not after one that was given up. */
  readonly onFailure?: () => void;
  readonly countTokens?: (text: string, options: Cancellable) => Promise<number>;
}

/** A backend from an adapter and the connection to its server. */
export function httpBackend(connection: Connection, adapter: Adapter): Backend {
  const { kind, capabilities, countTokens } = adapter;
  return {
    kind,
    address: connection.address,
    capabilities,
    listModels: adapter.listModels,
    ...(countTokens === undefined ? {} : { countTokens }),
    async *complete(request, { signal }) {
      signal.throwIfAborted();
      const call = await adapter.call(request, { signal });
      const values = connection.stream(call, {
        framing: adapter.framing,
        isLast: adapter.isLast ?? never,
        signal,
      });
      try {
        const noAnswer = (): Error => connection.noAnswer(call);
        yield* completionEvents(values, { read: adapter.read, request, noAnswer });
      } catch (error) {
        if (!signal.aborted) adapter.onFailure?.();
        throw error;
      }
    },
  };
}

const never = (): boolean => false;
