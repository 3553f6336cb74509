/** What the server is handed. `cli` puts the concrete parts in, tests put in scripted ones. */
import type { CompletionError, Log } from "../core/index.ts";
import type { EngineRequest, EngineResult, Telemetry } from "../engine/index.ts";
import type { StatsReply } from "../protocol/stats.ts";
import type { HealthReply, ModelsReply } from "../protocol/workspace.ts";
import type { Metrics } from "./metrics.ts";

/** The part of the engine that a stateless transport uses. */
export interface EngineLike {
  /**
   * Ends every request in exactly one result. Rejects with `CompletionError` for expected failures
   * and with the reason of `signal` when it aborts. `onDelta`, where the engine calls it, gets text
   * that is final: all deltas are the start of the result's text.
   */
  complete(
    request: EngineRequest,
    options: { readonly signal: AbortSignal; readonly onDelta?: (text: string) => void },
  ): Promise<EngineResult>;
}

/** Read access to the workspace for the page. Refusing what must not be shown is the port's duty. */
export interface WorkspaceFiles {
  /** Workspace-relative paths with `/`, sorted and capped. */
  list(): Promise<{
    readonly root: string;
    readonly files: readonly string[];
    readonly truncated: boolean;
  }>;
  /** Text of one file. `CompletionError` NOT_FOUND or FORBIDDEN when there is nothing to show. */
  read(path: string): Promise<{
    readonly path: string;
    readonly language: string;
    readonly text: string;
  }>;
}

/** Bounds that keep a flood, a slow client or a huge body from harming other requests. */
export interface ServerLimits {
  /** Bytes of a request body; more is BODY_TOO_LARGE. */
  readonly bodyBytes: number;
  /** Bytes of all bodies whose requests are not answered yet; over it the largest is OVERLOADED. */
  readonly allBodiesBytes: number;
  /** Requests that the engine works on at once. */
  readonly maxInFlight: number;
  /** Requests that wait; when full, the oldest is refused, since its user has typed on. */
  readonly maxQueued: number;
  /** A request that waited longer is refused instead of started. */
  readonly maxQueueMs: number;
  /** From the first byte of a request to the end of its head. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** Idle time after which a kept connection is closed; longer than load balancers use. */
  readonly keepAliveTimeoutMs: number;
  /** Open connections; more are not accepted. */
  readonly maxConnections: number;
  /** After `close`, running requests have this long to end. */
  readonly closeGraceMs: number;
}

/** 8 MB bodies, 64 MB of them at once; 256 requests at once, 1,024 waiting; 10 s for a head, 15 s for a body. */
export const defaultServerLimits: ServerLimits = Object.freeze({
  bodyBytes: 8 * 1024 * 1024,
  allBodiesBytes: 64_000_000,
  maxInFlight: 256,
  maxQueued: 1024,
  maxQueueMs: 1500,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 75_000,
  maxConnections: 4096,
  closeGraceMs: 5000,
});

/** What became of answers goes in here; see `Telemetry` of the engine. */
export type TelemetryLike = Pick<
  Telemetry,
  "knows" | "shown" | "acceptedPartly" | "accepted" | "rejected" | "ignored"
>;

/** The events of this server and the journal that keeps them. */
export interface ServerEvents {
  readonly telemetry: TelemetryLike;
  /** Resolves when all events so far are kept. Rejects as `storageError`. */
  flush(): Promise<void>;
  /** What the journal says about the last so many days. */
  stats(days: number): Promise<StatsReply>;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
}

export interface ServerOptions {
  readonly engine: EngineLike;
  /** Absent: no events are kept. */
  readonly events?: ServerEvents;
  /** Why no events are kept although they are wanted; absent: they are not wanted. */
  readonly eventsFailure?: CompletionError;
  /** A snapshot for `GET /v1/health`; cheap. */
  readonly health: () => HealthReply;
  /** Rejects with `CompletionError` when the backend cannot be asked. */
  readonly models: () => Promise<ModelsReply>;
  /** `null` when there is no workspace: its endpoints answer NOT_FOUND. */
  readonly workspace: WorkspaceFiles | null;
  /** Folder of the built playground; `null` when there is none. */
  readonly pageFolder: string | null;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Bearer token that every endpoint asks for; `null` for none, which only loopback may have. */
  readonly token: string | null;
  readonly limits: ServerLimits;
}
