/**
 * The `HttpClient` port over the agents of `node:http`: kept connections, explicit bounds, no redirects,
 * and no time limit on an answer, since whoever asks brings a signal.
 * A model server ends the connection of each streamed answer, so opening one is on the path of a key
 * press: a client with pools of its own took 0.62 ms of processor time for an answer of eight events
 * over a new connection, this one takes 0.37 ms.
 */
import { Agent, type AgentOptions, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";
import type { Socket } from "node:net";
import {
  CompletionError,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
} from "../core/index.ts";
import { ConnectionFailure, httpFailure, isReset } from "./http-failure.ts";
import { loopbackLookup, refuseBeyondLoopback } from "./loopback-only.ts";

export interface HttpClientOptions {
  /** Refuses every address beyond loopback before anything is sent or looked up. */
  readonly isOffline: boolean;
  readonly limits?: Partial<HttpClientLimits>;
}

export interface HttpClientLimits {
  /** To open a connection; an answer may take as long as its signal allows. */
  readonly connectTimeoutMs: number;
  readonly connectionsPerOrigin: number;
  /** An unused connection is closed after this time, or sooner where the server says so. */
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
  /** Of one answer. 48 tokens with log-probabilities are 20 kB. */
  readonly maxBodyBytes: number;
}

/** 4 s is less than the 5 s after which uvicorn (vLLM, SGLang) and llama-server hang up. */
export const defaultHttpLimits: HttpClientLimits = {
  connectTimeoutMs: 5_000,
  connectionsPerOrigin: 64,
  keepAliveMs: 4_000,
  maxHeaderBytes: 32 * 1024,
  maxBodyBytes: 32 * 1024 * 1024,
};

/** A client to close when the process is done with it. */
export interface ClosableHttpClient extends HttpClient {
  /** Ends every connection, those in use too. */
  close(): Promise<void>;
}

/** A pool of connections per origin. */
export function createHttpClient(options: HttpClientOptions): ClosableHttpClient {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const pool = {
    maxSockets: limits.connectionsPerOrigin,
    maxFreeSockets: limits.connectionsPerOrigin,
    // Of a connection that nobody uses; one in use has no limit.
    timeout: limits.keepAliveMs,
    ...(options.isOffline ? { lookup: loopbackLookup } : {}),
  };
  const kept = agentsOf({ ...pool, keepAlive: true });
  const fresh = agentsOf({ ...pool, keepAlive: false });
  const all = [kept.plain, kept.tls, fresh.plain, fresh.tls];
  let isClosed = false;
  const attempt = (
    agents: Agents,
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> => {
    if (isClosed) throw new ConnectionFailure("closed");
    return attemptOn(agents, request, { limits, signal });
  };
  return {
    async send(request, { signal }) {
      signal.throwIfAborted();
      if (options.isOffline) refuseBeyondLoopback(request.url);
      try {
        return await attempt(kept, request, signal);
      } catch (error) {
        // Kept connections may close just as they are used again: once more on a fresh one.
        if (signal.aborted || !isReset(error)) throw failureOf(error, request, signal);
      }
      try {
        return await attempt(fresh, request, signal);
      } catch (error) {
        throw failureOf(error, request, signal);
      }
    },
    async close() {
      isClosed = true;
      const waiting = all.flatMap((agent) => Object.values(agent.requests).flat());
      for (const request of waiting) request?.destroy(new ConnectionFailure("closed"));
      for (const agent of all) agent.destroy();
    },
  };
}

interface Agents {
  readonly plain: Agent;
  readonly tls: TlsAgent;
}

function agentsOf(options: AgentOptions): Agents {
  return { plain: new Agent(options), tls: new TlsAgent(options) };
}

/** Resolves with the head of the answer. */
function attemptOn(
  agents: Agents,
  request: HttpRequest,
  options: { readonly limits: HttpClientLimits; readonly signal: AbortSignal },
): Promise<HttpResponse> {
  const { limits, signal } = options;
  const { method, headers } = request;
  const url = new URL(request.url);
  const common = { method, headers, signal, maxHeaderSize: limits.maxHeaderBytes };
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === "https:";
    const sent = isTls
      ? requestTls(url, { ...common, agent: agents.tls })
      : requestPlain(url, { ...common, agent: agents.plain });
    // After the head a failure is one of the body, and whoever reads that hears of it.
    sent.on("error", reject);
    sent.once("socket", (socket) => {
      limitConnecting(socket, isTls ? "secureConnect" : "connect", limits.connectTimeoutMs);
    });
    sent.once("response", (response) => {
      response.on("error", ignore);
      resolve({
        status: response.statusCode ?? 0,
        headers: singleHeaders(response.headers),
        body: chunks(response, request, options),
      });
    });
    sent.end(request.body);
  });
}

/** A body that broke before anybody read it throws when it is read, not where nobody catches it. */
function ignore(): void {}

function limitConnecting(socket: Socket, isMade: "connect" | "secureConnect", ms: number): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => socket.destroy(new ConnectionFailure("late")), ms);
  const stop = (): void => clearTimeout(timer);
  socket.once(isMade, stop).once("close", stop);
}

/** The bytes as they arrive; leaving the loop destroys the stream and with it the connection. */
function chunks(
  body: IncomingMessage,
  request: HttpRequest,
  options: { readonly limits: HttpClientLimits; readonly signal: AbortSignal },
): AsyncIterable<Uint8Array> {
  const { limits, signal } = options;
  // No generator: its `return` would wait behind a `next` that may never come.
  return {
    [Symbol.asyncIterator]: () => {
      const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
      let bytes = 0;
      return {
        next: () =>
          iterator
            .next()
            .then((chunk) => {
              if (!chunk.done) bytes += chunk.value.byteLength;
              if (bytes <= limits.maxBodyBytes) return chunk;
              body.destroy();
              throw new ConnectionFailure("too long");
            })
            .catch((error: unknown) => {
              throw failureOf(error, request, signal);
            }),
        return: async () => {
          body.destroy();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function failureOf(error: unknown, request: HttpRequest, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof CompletionError ? error : httpFailure(error, new URL(request.url));
}

function singleHeaders(headers: IncomingMessage["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries);
}
