/** `POST /v1/events`, by which pages and clients say what became of answers, and `GET /v1/stats`. */
import type { FastifyInstance } from "fastify";
import { LruMap } from "../base/lru.ts";
import { CompletionError } from "../core/index.ts";
import { decodeEvents } from "../protocol/decode-events.ts";
import type { EventsReply, WireEvent } from "../protocol/events.ts";
import { parseJson } from "../protocol/parse-json.ts";
import type { StatsReply } from "../protocol/stats.ts";
import type { BodyBudget } from "./body-budget.ts";
import { followClient } from "./client-signal.ts";
import { readJsonText } from "./json-body.ts";
import type { ServerOptions, TelemetryLike } from "./ports.ts";

/** A batch of 500 events is a tenth of this. */
const MAX_BODY_BYTES = 1_000_000;
/** Ids that are remembered, so that a batch that is sent again counts once. */
const MAX_IDS = 20_000;
/** An event is not believed to be older than a day. */
const MAX_LATE_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 3_650;

/** Adds the routes. Without events they answer too: nothing is kept. */
export function addEventRoutes(
  app: FastifyInstance,
  options: Pick<ServerOptions, "events" | "eventsFailure"> & { readonly bodies: BodyBudget },
): void {
  const { events = null, bodies } = options;
  const whyNone =
    options.eventsFailure ?? new CompletionError("NOT_FOUND", "this server keeps no events");
  const seen = new LruMap<string, true>(MAX_IDS);

  app.post("/v1/events", async (request, reply): Promise<EventsReply> => {
    const followed = followClient(reply.raw, bodies);
    const text = await readJsonText(request.raw, { maxBytes: MAX_BODY_BYTES, ...followed });
    const body = decodeEvents(parseJson(text));
    if (events === null) return { enabled: false, taken: 0, repeated: 0, unknown: 0 };
    // The client's clock may be wrong; it was right about what it calls now.
    const nowMs = events.wallNow();
    const skewMs = nowMs - body.sent_at;
    let taken = 0;
    let repeated = 0;
    let unknown = 0;
    for (const event of body.events) {
      if (seen.get(event.id) !== undefined) repeated++;
      else if (!events.telemetry.knows(event.request)) unknown++;
      else {
        const atMs = Math.min(nowMs, Math.max(nowMs - MAX_LATE_MS, event.ts + skewMs));
        seen.set(event.id, true);
        tell(events.telemetry, event, { atMs, client: body.client });
        taken++;
      }
    }
    await events.flush();
    return { enabled: true, taken, repeated, unknown };
  });

  app.get("/v1/stats", async (request, reply): Promise<StatsReply> => {
    reply.header("cache-control", "no-store");
    const days = daysOf(request.query);
    if (events === null) throw whyNone;
    return events.stats(days);
  });
}

function tell(
  telemetry: TelemetryLike,
  event: WireEvent,
  call: { readonly atMs: number; readonly client: string },
): void {
  const { request } = event;
  switch (event.type) {
    case "shown": {
      const { visible_index: visibleIndex, inferred: isInferred } = event;
      telemetry.shown(request, { ...call, visibleIndex, isInferred });
      break;
    }
    case "accepted_partial":
      telemetry.acceptedPartly(request, { ...call, kind: event.kind, chars: event.chars });
      break;
    case "accepted": {
      const { kind, visible_index: visibleIndex, chars } = event;
      telemetry.accepted(request, {
        ...call,
        kind,
        ...(visibleIndex === undefined ? {} : { visibleIndex }),
        ...(chars === undefined ? {} : { chars }),
      });
      break;
    }
    case "rejected":
      telemetry.rejected(request, call);
      break;
    case "ignored":
      telemetry.ignored(request, event.why, call);
      break;
  }
}

function daysOf(query: unknown): number {
  const given = typeof query === "object" && query !== null && "days" in query ? query.days : null;
  if (given === null) return DEFAULT_DAYS;
  const days = typeof given === "string" ? Number(given) : Number.NaN;
  if (Number.isInteger(days) && 1 <= days && days <= MAX_DAYS) return days;
  throw new CompletionError("BAD_REQUEST", `days must be an integer within 1..${MAX_DAYS}`);
}
