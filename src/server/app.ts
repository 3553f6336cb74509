/** The HTTP server of one process: routes, access, errors in one shape, and its life cycle. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { performance } from "node:perf_hooks";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { present } from "../base/assert.ts";
import type { CompletionError } from "../core/index.ts";
import { Admission } from "./admission.ts";
import { autocompleteRoute } from "./autocomplete-route.ts";
import { BodyBudget } from "./body-budget.ts";
import { answerBrokenHttp } from "./broken-http.ts";
import { ClientGone } from "./client-signal.ts";
import { retryAfterSeconds, toCompletionError, toErrorReply } from "./error-reply.ts";
import { addEventRoutes } from "./event-routes.ts";
import { type Listening, type ListenOptions, listenOnFreePort } from "./listen.ts";
import { addPageRoutes } from "./page-routes.ts";
import type { ServerOptions } from "./ports.ts";
import { addReadRoutes } from "./read-routes.ts";
import { commonHeaders, Gate } from "./security.ts";
import type { EventStream } from "./sse.ts";

export interface Server {
  /**
   * Binds and starts to accept. CONFIG_INVALID for a public address without a token or an address
   * that this machine does not have; PORT_TAKEN when the port is in use and `tryNext` is false, or
   * the 20 ports after it are in use too. Call once.
   */
  listen(options: ListenOptions): Promise<Listening>;
  /**
   * Stops accepting, lets running requests end, and after the grace period closes what is left,
   * which aborts their signals.
   */
  close(): Promise<void>;
  /** The bound port; 0 before `listen` has resolved. */
  readonly port: number;
}

/** A server that is not listening yet. */
export function createServer(options: ServerOptions): Server {
  const { limits, log, metrics } = options;
  const admission = new Admission(limits, () => performance.now());
  const bodies = new BodyBudget(limits.allBodiesBytes);
  metrics.watchLoad(admission);
  const app = Fastify({
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    http: {
      // A missing Host is refused by the gate, in the shape of all errors.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    },
    // A request that arrives while closing is still answered; its connection then closes.
    return503OnClosing: false,
    genReqId: requestIds(),
    // An address that cannot be decoded reaches no hook.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(commonHeaders(request.id))),
    clientErrorHandler: (error, socket) => answerBrokenHttp(error, socket, limits),
  });
  app.server.maxConnections = limits.maxConnections;
  // An expectation that nobody knows may be passed over; node would answer in a shape of its own.
  app.server.on("checkExpectation", (request, response) => {
    app.server.emit("request", request, response);
  });
  const closeSilent = trackSilent(app);
  let gate: Gate | null = null;

  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    const { headers, socket } = request.raw;
    const checks = present(gate, "the gate of a listening server");
    checks.checkOrigin(headers, socket.localPort ?? 0);
    // What no route matches is the page or nothing: neither is a secret. The route decides, not the
    // spelling of the address, which has many.
    if (request.routeOptions.url !== undefined) checks.checkToken(headers);
    done();
  });
  app.setErrorHandler(sendError);
  // Each route reads its body itself, if it has one; see readJsonText.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  app.post(
    "/v1/autocomplete",
    autocompleteRoute({
      engine: options.engine,
      admission,
      metrics,
      log,
      bodies,
      maxBodyBytes: limits.bodyBytes,
      failStream: (error, request, stream) => failStream(error, request, stream),
    }),
  );
  addReadRoutes(app, options);
  addEventRoutes(app, { ...options, bodies });
  addPageRoutes(app, options.pageFolder);

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    // Nobody is there to read it, and nothing went wrong.
    if (error instanceof ClientGone) return reply.hijack();
    const coded = noteError(error, request);
    const seconds = retryAfterSeconds(coded);
    if (seconds !== null) reply.header("retry-after", String(seconds));
    if (coded.code === "UNAUTHORIZED") reply.header("www-authenticate", "Bearer");
    return reply.code(coded.status).send(toErrorReply(coded));
  }

  function failStream(error: unknown, request: FastifyRequest, stream: EventStream): void {
    if (!(error instanceof ClientGone)) stream.fail(toErrorReply(noteError(error, request)));
  }

  /** Counts and logs a failure once. The stack of a fault of ours goes to the log only. */
  function noteError(error: unknown, request: FastifyRequest): CompletionError {
    const coded = toCompletionError(error, request.id);
    metrics.errorSent(coded.code);
    const fields = { request: request.id, code: coded.code };
    if (coded.code === "INTERNAL")
      log.error("request failed", { ...fields, stack: stackOf(error) });
    else if (coded.status >= 500) log.warn(coded.message, fields);
    else log.debug(coded.message, fields);
    return coded;
  }

  return {
    listen: async (listenOptions) => {
      gate = new Gate({ boundHost: listenOptions.host, token: options.token });
      return await listenOnFreePort(app, listenOptions);
    },
    close: () => {
      closeSilent();
      return closeWithin(app, limits.closeGraceMs);
    },
    get port() {
      return portOf(app);
    },
  };
}

/**
 * Closes connections on which no request has begun. Browsers open some ahead, and node takes them for
 * busy: without this, closing would wait for them until the grace period ends.
 */
function trackSilent(app: FastifyInstance): () => void {
  const silent = new Set<Socket>();
  app.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  app.server.on("request", ({ socket }) => silent.delete(socket));
  return () => {
    for (const socket of silent) socket.destroy();
  };
}

async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}

function portOf(app: FastifyInstance): number {
  const address: AddressInfo | string | null = app.server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

/** The caller's `x-request-id` where it is a plain word, else one of ours, unique in this process. */
function requestIds(): (request: IncomingMessage) => string {
  const start = randomBytes(4).toString("hex");
  let count = 0;
  return (request) => {
    const given = request.headers["x-request-id"];
    if (typeof given === "string" && /^[\w.-]{1,64}$/.test(given)) return given;
    count++;
    return `${start}-${count.toString(36)}`;
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
