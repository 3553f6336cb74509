/** The events of a request that ended: that it was asked, and how it ended. */
import {
  CompletionError,
  type EventBase,
  filterReasons,
  type JudgedText,
  type TelemetryEvent,
} from "../core/index.ts";
import type { EngineEvent } from "./engine.ts";

/** What names whoever writes events. */
export interface EventIdentity {
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Random word of this installation. */
  readonly install: string;
  /** Random word of this process. */
  readonly session: string;
  /** Who asks, where a call does not say: `http`, `lsp`, an editor's name. */
  readonly client: string;
  /** Hash of the settings that decide about answers. */
  readonly configuration: string;
  /** A keyed hash of a path, so that events of one file can be told from those of another. */
  readonly hashPath: (path: string) => string;
}

/** Two events, and what they have in common with those that follow. */
export interface ToldRequest {
  readonly events: readonly [TelemetryEvent, TelemetryEvent];
  /** `null` when no text was judged. */
  readonly judged: JudgedText | null;
  /** Hash of the path; `""` without one. */
  readonly doc: string;
}

/** `requested` and exactly one of produced, filtered, none, cancelled and error. */
export function requestEvents(event: EngineEvent, identity: EventIdentity): ToldRequest {
  const { facts, request } = event;
  const { wallNow, install, session, client, configuration, hashPath } = identity;
  const id = event.kind === "finished" ? event.result.id : event.id;
  const ms = event.kind === "finished" ? rounded(event.result.timings.totalMs) : 0;
  const ts = Math.round(wallNow());
  const doc = facts === null || facts.path === null ? "" : hashPath(facts.path);
  const lang = facts?.languageId ?? "";
  const about = { v: 1, install, session, request: id, doc, lang, client } as const;
  const judged =
    facts === null || facts.judged === null
      ? null
      : { context: facts.context, configuration, ...facts.judged };
  const asked: TelemetryEvent = {
    ...about,
    id: `${id}.requested`,
    ts: Math.round(ts - ms),
    type: "requested",
    trigger: request.trigger,
  };
  const end = resultEvent(event, { ...about, id: `${id}.result`, ts }, { ms, judged });
  return { events: [asked, end], judged, doc };
}

function resultEvent(
  event: EngineEvent,
  base: EventBase,
  { ms, judged }: { readonly ms: number; readonly judged: JudgedText | null },
): TelemetryEvent {
  if (event.kind === "failed") {
    const code = event.error instanceof CompletionError ? event.error.code : "INTERNAL";
    return { ...base, type: "error", code };
  }
  const { outcome, usage, source, model } = event.result;
  if (outcome.kind === "completion" && judged !== null) {
    const { text } = outcome.edit;
    return {
      ...base,
      type: "produced",
      source: source ?? "local",
      model: model ?? "",
      chars: text.length,
      lines: linesOf(text),
      ms,
      tokensIn: usage.inputTokens,
      tokensCached: usage.cachedTokens,
      tokensOut: usage.outputTokens,
      judged,
    };
  }
  const reason = outcome.kind === "none" ? outcome.reason : "empty";
  if (reason === "cancelled") return { ...base, type: "cancelled", ms };
  return judged !== null && filterReasons.includes(reason)
    ? { ...base, type: "filtered", reason, ms, judged }
    : { ...base, type: "none", reason, ms };
}

/** Number of lines of a text. */
export function linesOf(text: string): number {
  return text.split("\n").length;
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
