/**
 * The `HttpClient` port over an undici pool: kept connections, explicit bounds, no redirects, and no
 * time limit on an answer, since whoever asks brings a signal.
 */
import { Agent, type Dispatcher } from "undici";
import { isAbort } from "../base/signal.ts";
import {
  CompletionError,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
} from "../core/index.ts";
import { httpFailure, isReset } from "./http-failure.ts";
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
  /** An unused connection is closed after this time unless the server names another. */
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
  const agent = new Agent({
    connections: limits.connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.maxHeaderBytes,
    maxResponseSize: limits.maxBodyBytes,
    connect: {
      timeout: limits.connectTimeoutMs,
      ...(options.isOffline ? { lookup: loopbackLookup } : {}),
    },
  });
  return {
    async send(request, { signal }) {
      signal.throwIfAborted();
      if (options.isOffline) refuseBeyondLoopback(request.url);
      try {
        return await attempt(agent, request, signal);
      } catch (error) {
        // A kept connection may close just as it is used again: once more on a fresh one.
        if (signal.aborted || !isReset(error)) throw failureOf(error, request, signal);
      }
      try {
        return await attempt(agent, request, signal);
      } catch (error) {
        throw failureOf(error, request, signal);
      }
    },
    close: () => agent.destroy(),
  };
}

async function attempt(
  agent: Agent,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(request.url);
  const response = await agent.request({
    origin,
    path: pathname + search,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal,
  });
  return {
    status: response.statusCode,
    headers: singleHeaders(response.headers),
    body: chunks(response.body, request, signal),
  };
}

/** The bytes as they arrive; leaving the loop destroys the stream and with it the connection. */
function chunks(
  body: Dispatcher.ResponseData["body"],
  request: HttpRequest,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  // No generator: its `return` would wait behind a `next` that may never come.
  return {
    [Symbol.asyncIterator]: () => {
      const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
      return {
        next: () =>
          iterator.next().catch((error: unknown) => {
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
  if (isAbort(error, signal) || error instanceof CompletionError) return error;
  return httpFailure(error, new URL(request.url));
}

function singleHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries);
}
