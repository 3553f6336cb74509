/** Checked decoding of one line of the journal. What is not an event of this version is `null`. */
import { type EventType, eventTypes, type TelemetryEvent } from "../core/index.ts";

type Kind = "string" | "number" | "boolean" | "object";

const always: Readonly<Record<string, Kind>> = {
  id: "string",
  ts: "number",
  install: "string",
  session: "string",
  request: "string",
  doc: "string",
  lang: "string",
  client: "string",
};

/** The fields of each type, beside those that all have. */
const fieldsOf: Readonly<Record<EventType, Readonly<Record<string, Kind>>>> = {
  requested: { trigger: "string" },
  produced: {
    source: "string",
    model: "string",
    chars: "number",
    lines: "number",
    ms: "number",
    tokensIn: "number",
    tokensCached: "number",
    tokensOut: "number",
    judged: "object",
  },
  filtered: { reason: "string", ms: "number", judged: "object" },
  none: { reason: "string", ms: "number" },
  cancelled: { ms: "number" },
  error: { code: "string" },
  shown: {
    visibleIndex: "number",
    inferred: "boolean",
    source: "string",
    chars: "number",
    lines: "number",
    judged: "object",
  },
  accepted_partial: { kind: "string", chars: "number", visibleMs: "number" },
  accepted: { kind: "string", chars: "number", visibleMs: "number" },
  rejected: { visibleMs: "number" },
  ignored: { why: "string", visibleMs: "number", typedChars: "number" },
  retained: {
    afterSec: "number",
    chars: "number",
    charDiff: "number",
    lexDiff: "number",
    present: "boolean",
  },
};

/** The event of a line; `null` for a torn line, another version, or anything else. */
export function decodeEvent(line: string): TelemetryEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is TelemetryEvent {
  if (!isObject(value) || value.v !== 1) return false;
  const type = eventTypes.find((one) => one === value.type);
  if (type === undefined || !has(value, always) || !has(value, fieldsOf[type])) return false;
  return value.judged === undefined || (isObject(value.judged) && isObject(value.judged.features));
}

function has(value: Readonly<Record<string, unknown>>, kinds: Readonly<Record<string, Kind>>) {
  for (const name in kinds) {
    const field = value[name];
    if (typeof field !== kinds[name] || field === null) return false;
    if (typeof field === "number" && !Number.isFinite(field)) return false;
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
