/** Checked decoding of `POST /v1/events`. */
import {
  arrayItems,
  DecodeError,
  objectFields,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  optionalWord,
  requiredString,
} from "./decode.ts";
import {
  type EventsBody,
  eventsLimits as limits,
  type WireEvent,
  wireAcceptKinds,
  wireEventTypes,
  wireIgnoreReasons,
} from "./events.ts";

/** A parsed body with every known field checked and every default put in. Throws `DecodeError`. */
export function decodeEvents(value: unknown): EventsBody {
  const fields = objectFields(value, "body");
  return {
    sent_at: required(optionalNumber(fields.sent_at, "sent_at", limits.time), "sent_at"),
    client: optionalString(fields.client, "client", limits.clientUnits) || "http",
    events: arrayItems(fields.events ?? [], "events", limits.events).map((item, i) =>
      decodeEvent(item, `events[${i}]`),
    ),
  };
}

function decodeEvent(value: unknown, field: string): WireEvent {
  const fields = objectFields(value, field);
  const id = word(fields.id, `${field}.id`);
  const request = word(fields.request, `${field}.request`);
  const ts = required(optionalNumber(fields.ts, `${field}.ts`, limits.time), `${field}.ts`);
  const base = { id, request, ts };
  const type = optionalWord(fields.type, `${field}.type`, wireEventTypes);
  const index = optionalInteger(fields.visible_index, `${field}.visible_index`, limits.index);
  const chars = optionalInteger(fields.chars, `${field}.chars`, limits.chars);
  const kind = optionalWord(fields.kind, `${field}.kind`, wireAcceptKinds);
  switch (required(type, `${field}.type`)) {
    case "shown": {
      const inferred = optionalBoolean(fields.inferred, `${field}.inferred`) ?? false;
      return { ...base, type: "shown", visible_index: index ?? 0, inferred };
    }
    case "accepted_partial":
      return {
        ...base,
        type: "accepted_partial",
        kind: kind === undefined || kind === "full" ? "other" : kind,
        chars: required(chars, `${field}.chars`),
      };
    case "accepted":
      return { ...base, type: "accepted", kind: kind ?? "full", visible_index: index, chars };
    case "rejected":
      return { ...base, type: "rejected" };
    case "ignored": {
      const why = optionalWord(fields.why, `${field}.why`, wireIgnoreReasons);
      return { ...base, type: "ignored", why: required(why, `${field}.why`) };
    }
  }
}

function word(value: unknown, field: string): string {
  const text = requiredString(value, field, limits.idUnits);
  if (text === "") throw new DecodeError(field, "is empty");
  return text;
}

function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new DecodeError(field, "is missing");
  return value;
}
