/**
 * `POST /v1/autocomplete`, the path of a key press. Budget: 250 µs of CPU per request on top of the
 * engine, HTTP included.
 */
import { performance } from "node:perf_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../core/index.ts";
import type { EngineResult } from "../engine/index.ts";
import type { AutocompleteReply } from "../protocol/autocomplete.ts";
import { decodeAutocomplete } from "../protocol/decode-autocomplete.ts";
import { parseJson } from "../protocol/parse-json.ts";
import type { Admission } from "./admission.ts";
import type { BodyBudget } from "./body-budget.ts";
import { ClientGone, followClient } from "./client-signal.ts";
import { toAutocompleteReply, toEngineRequest } from "./convert.ts";
import { readJsonText } from "./json-body.ts";
import type { Metrics } from "./metrics.ts";
import type { EngineLike } from "./ports.ts";
import { commonHeaders } from "./security.ts";
import { EventStream } from "./sse.ts";

interface AutocompleteParts {
  readonly engine: EngineLike;
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly bodies: BodyBudget;
  readonly maxBodyBytes: number;
  /** Answers a failure after the first byte of a stream; before it, failures are thrown. */
  readonly failStream: (error: unknown, request: FastifyRequest, stream: EventStream) => void;
}

/** The handler. Throws what `toCompletionError` understands. */
export function autocompleteRoute(
  parts: AutocompleteParts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<AutocompleteReply | FastifyReply> {
  const { engine, admission, metrics, log, bodies, maxBodyBytes } = parts;
  return async (request, reply) => {
    const { signal, held } = followClient(reply.raw, bodies);
    const text = await readJsonText(request.raw, { maxBytes: maxBodyBytes, signal, held });
    const startMs = performance.now();
    const body = decodeAutocomplete(parseJson(text));
    const call = toEngineRequest(body);
    const stream =
      body.stream === true ? new EventStream(reply.raw, commonHeaders(request.id)) : null;
    try {
      let askedMs = startMs;
      const result = await admission.run(
        () => {
          askedMs = performance.now();
          return engine.complete(
            call,
            stream === null ? { signal } : { signal, onDelta: (delta) => stream.delta(delta) },
          );
        },
        { signal },
      );
      // An engine may finish in the instant in which the client leaves: nobody got that answer.
      signal.throwIfAborted();
      const latencyMs = performance.now() - startMs;
      const answer = toAutocompleteReply(result, {
        count: call.count,
        latencyMs,
        queueMs: askedMs - startMs,
      });
      metrics.finished(call.trigger, result, latencyMs);
      log.debug("completed", logFields(request.id, result, latencyMs));
      if (stream === null) return answer;
      stream.done(answer);
      return reply.hijack();
    } catch (error) {
      metrics.broken(call.trigger, error instanceof ClientGone ? "cancelled" : "error");
      if (stream?.isOpen !== true) throw error;
      parts.failStream(error, request, stream);
      return reply.hijack();
    }
  };
}

function logFields(
  requestId: string,
  result: EngineResult,
  latencyMs: number,
): Record<string, string | number | null> {
  const { outcome } = result;
  return {
    request: requestId,
    completion: result.id,
    source: result.source,
    reason: outcome.kind === "none" ? outcome.reason : null,
    units: outcome.kind === "completion" ? outcome.edit.text.length : 0,
    ms: Math.round(latencyMs * 100) / 100,
  };
}
