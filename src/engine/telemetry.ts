/**
 * Turns what the engine and the transport tell into events. It holds the rules that transports need
 * not know: each suggestion ends once, whatever is told twice, late, or never; typing along, partial
 * accepts and asking again at the same place go on with the same suggestion.
 *
 * One suggestion is on screen per document. It ends when the transport says so; when another one is
 * shown in its document (`superseded`); when the engine answered something else there and the
 * transport stayed silent for three seconds (`typed-over`, at the time of that answer); and when its document closes.
 */
import type { Dispose } from "../base/event.ts";
import { LruMap } from "../base/lru.ts";
import {
  type AcceptKind,
  type Clock,
  type CursorEdit,
  type EventBase,
  type EventSink,
  type IgnoreReason,
  type JudgedText,
  movedOffset,
  type TelemetryEvent,
} from "../core/index.ts";
import type { DocumentChange } from "./documents.ts";
import type { Engine, EngineEvent } from "./engine.ts";
import { type EventIdentity, linesOf, requestEvents } from "./request-events.ts";
import type { RequestFacts } from "./request-facts.ts";
import { RetentionWatch } from "./retention-watch.ts";
import {
  ghostLength,
  ghostLengthOf,
  type Suggestion,
  textOf,
  typedChars,
  visibleKey,
} from "./suggestion.ts";
import type { EngineResult } from "./types.ts";

/** What telemetry is made of. */
export interface TelemetryOptions extends EventIdentity {
  readonly clock: Clock;
  readonly sink: EventSink;
}

/** What a call may say about itself. */
export interface CallOptions {
  /** When it happened, milliseconds since 1970; absent: now. */
  readonly atMs?: number;
  /** Who tells it; absent: the client of the options. */
  readonly client?: string;
}

/** Suggestions that are remembered; a transport that tells of an older one is not believed. */
const MAX_SUGGESTIONS = 512;
/** Requests whose suggestion is remembered. */
const MAX_REQUESTS = 4_096;
/** Suggestions of a document that may still be taken: that on screen and some that were just replaced. */
const MAX_MOVING = 16;
/** Suggestions on screen at once, over all documents. */
const MAX_VISIBLE = 64;
/** A transport has this long to say what became of a text that no longer fits; pages send batches. */
const GRACE_MS = 3_000;

/** Events of one engine. Unknown ids are ignored, and what was told before changes nothing. */
export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #suggestions = new LruMap<string, Suggestion>(MAX_SUGGESTIONS);
  readonly #suggestionOf = new LruMap<string, string>(MAX_REQUESTS);
  /** Those of a document whose cursors move with its text: few, whatever the number of documents. */
  readonly #moving = new LruMap<string, Suggestion[]>(MAX_VISIBLE);
  /** What is on screen, by document; one each. */
  readonly #visible = new Map<string, Suggestion>();
  #retention: RetentionWatch | null = null;

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  /** Listens to an engine; the returned function stops that and ends what is on screen. */
  follow(engine: Pick<Engine, "events" | "documents">): Dispose {
    const retention = new RetentionWatch(this.#options.clock, engine.documents);
    this.#retention = retention;
    const stops = [
      engine.events.on((event) => this.#ended(event)),
      engine.documents.changes.on((change) => this.#changed(change)),
    ];
    return () => {
      for (const stop of stops) stop();
      for (const suggestion of [...this.#visible.values()]) {
        this.#ignore(suggestion, "document-closed", {});
      }
      retention.dispose();
    };
  }

  /** True for a request that had a text and is not too old: what is told of others is ignored. */
  knows(requestId: string): boolean {
    return this.#find(requestId) !== null;
  }

  /**
   * A text of this request is on screen. `visibleIndex` counts the texts on offer from 0; telling it
   * again with another index is turning over. `isInferred`: the editor does not say so.
   */
  shown(
    requestId: string,
    how: CallOptions & { readonly visibleIndex: number; readonly isInferred: boolean },
  ): void {
    const suggestion = this.#find(requestId);
    if (suggestion === null || suggestion.state === "ended") return;
    if (requestId === suggestion.current) this.#trust(suggestion);
    const index = Math.min(Math.max(0, how.visibleIndex), suggestion.edits.length - 1);
    suggestion.visibleIndex = index;
    if (suggestion.state === "shown") return;
    const key = visibleKey(suggestion);
    const before = this.#visible.get(key);
    if (before !== undefined) this.#ignore(before, "superseded", how);
    const [oldest] = this.#visible.values();
    if (this.#visible.size >= MAX_VISIBLE && oldest !== undefined) {
      this.#ignore(oldest, "superseded", how);
    }
    this.#visible.set(key, suggestion);
    const { text } = textOf(suggestion);
    suggestion.state = "shown";
    suggestion.shownAtMs = this.#at(how);
    suggestion.client = how.client ?? this.#options.client;
    this.#record({
      ...this.#base(suggestion, "shown", how),
      type: "shown",
      visibleIndex: index,
      inferred: how.isInferred,
      source: suggestion.source,
      chars: text.length,
      lines: linesOf(text),
      judged: suggestion.judged,
    });
    if (suggestion.isDocumentClosed) this.#ignore(suggestion, "document-closed", how);
  }

  /** A piece was taken; `chars` are the units of this piece alone. What is left stays on screen. */
  acceptedPartly(
    requestId: string,
    piece: CallOptions & { readonly kind: Exclude<AcceptKind, "full">; readonly chars: number },
  ): void {
    const suggestion = this.#findShown(requestId, piece);
    if (suggestion === null || piece.chars <= 0) return;
    const { kind } = piece;
    const left = ghostLengthOf(suggestion) - suggestion.takenChars;
    // The last piece takes the rest: that is an accept.
    if (piece.chars >= left) {
      this.accepted(requestId, { ...piece, chars: left });
      return;
    }
    suggestion.pieces++;
    suggestion.takenChars += piece.chars;
    this.#trust(suggestion);
    this.#record({
      ...this.#base(suggestion, `accepted_partial.${suggestion.pieces}`, piece),
      type: "accepted_partial",
      kind,
      chars: piece.chars,
      visibleMs: this.#visibleMs(suggestion, piece),
    });
  }

  /**
   * The text, or what was left of it, was taken with one key of this kind. `chars` are the units that
   * the key put in; absent: what was left of the text, as far as the engine saw it being typed.
   */
  accepted(
    requestId: string,
    how: CallOptions & {
      readonly kind: AcceptKind;
      readonly visibleIndex?: number;
      readonly chars?: number;
    },
  ): void {
    const suggestion = this.#findShown(requestId, how);
    if (suggestion === null) return;
    const { visibleIndex } = how;
    if (visibleIndex !== undefined && suggestion.edits[visibleIndex] !== undefined) {
      suggestion.visibleIndex = visibleIndex;
    }
    const untaken = Math.max(0, ghostLengthOf(suggestion) - suggestion.takenChars);
    const left = Math.max(0, untaken - typedChars(suggestion));
    const chars = Math.min(untaken, how.chars ?? left);
    this.#record({
      ...this.#base(suggestion, "end", how),
      type: "accepted",
      kind: how.kind,
      chars,
      visibleMs: this.#visibleMs(suggestion, how),
    });
    this.#end(suggestion);
    this.#watch(suggestion, textOf(suggestion).text);
  }

  /** The person refused it by a key or a command. */
  rejected(requestId: string, how: CallOptions = {}): void {
    const suggestion = this.#find(requestId);
    if (suggestion === null || suggestion.state !== "shown") return;
    this.#record({
      ...this.#base(suggestion, "end", how),
      type: "rejected",
      visibleMs: this.#visibleMs(suggestion, how),
    });
    this.#end(suggestion);
    this.#watchPieces(suggestion);
  }

  /** It went away by itself. Of a text that a newer request goes on with, this says nothing. */
  ignored(requestId: string, why: IgnoreReason, how: CallOptions = {}): void {
    const suggestion = this.#find(requestId);
    if (suggestion === null || suggestion.state !== "shown") return;
    if (requestId !== suggestion.current) return;
    this.#ignore(suggestion, why, how);
  }

  #ignore(suggestion: Suggestion, why: IgnoreReason, how: CallOptions): void {
    this.#record({
      ...this.#base(suggestion, "end", how),
      type: "ignored",
      why,
      visibleMs: this.#visibleMs(suggestion, how),
      typedChars: typedChars(suggestion),
    });
    this.#end(suggestion);
    this.#watchPieces(suggestion);
  }

  #end(suggestion: Suggestion): void {
    this.#trust(suggestion);
    suggestion.state = "ended";
    const key = visibleKey(suggestion);
    if (this.#visible.get(key) === suggestion) this.#visible.delete(key);
  }

  /** A request of the engine ended. */
  #ended(event: EngineEvent): void {
    if (!event.request.isNoted) return;
    const { events, judged, doc } = requestEvents(event, this.#options);
    for (const one of events) this.#record(one);
    const { facts } = event;
    if (event.kind === "failed" || facts === null) return;
    const { outcome } = event.result;
    if (outcome.kind === "completion") {
      if (judged !== null) this.#offered({ facts, judged, doc }, event.result, outcome.edit);
      return;
    }
    const { reason } = outcome;
    const isAbandoned = reason === "cancelled" || reason === "superseded" || reason === "stale";
    if (!isAbandoned) this.#doubtOther(facts, null);
  }

  /** The engine has a text: a new suggestion, or more of one that is known. */
  #offered(
    about: { readonly facts: RequestFacts; readonly judged: JudgedText; readonly doc: string },
    result: EngineResult,
    edit: CursorEdit,
  ): void {
    const { facts, judged, doc } = about;
    const known = this.#suggestions.get(facts.suggestion);
    if (known !== undefined && known.state !== "ended") {
      known.current = result.id;
      const [whole = edit] = known.edits;
      known.standingChars = Math.max(0, ghostLength(whole) - ghostLength(edit));
      this.#trust(known);
      this.#suggestionOf.set(result.id, known.id);
      this.#doubtOther(facts, known);
      return;
    }
    // Typing along with a text that is over, or too old to be remembered, begins anew.
    const suggestion: Suggestion = {
      id: result.id,
      facts,
      judged,
      doc,
      source: result.source ?? "local",
      edits: [edit, ...result.alternatives],
      current: result.id,
      cursor: facts.offset,
      state: "produced",
      shownAtMs: 0,
      visibleIndex: 0,
      client: this.#options.client,
      pieces: 0,
      takenChars: 0,
      standingChars: 0,
      stopDoubt: null,
      isDocumentClosed: false,
    };
    this.#suggestions.set(result.id, suggestion);
    this.#suggestionOf.set(result.id, result.id);
    this.#followText(suggestion);
    this.#doubtOther(facts, suggestion);
  }

  #followText(suggestion: Suggestion): void {
    const { documentKey } = suggestion.facts;
    if (documentKey === null) return;
    const others = this.#moving.get(documentKey) ?? [];
    const first = others.length + 1 - MAX_MOVING;
    const live = others.filter(
      ({ state }, i) => state === "shown" || (state === "produced" && i >= first),
    );
    this.#moving.set(documentKey, [...live, suggestion]);
  }

  /** What is on screen in this document no longer fits, unless the transport says otherwise soon. */
  #doubtOther(facts: RequestFacts, fits: Suggestion | null): void {
    if (facts.documentKey === null) return;
    const visible = this.#visible.get(facts.documentKey);
    if (visible === undefined || visible === fits || visible.stopDoubt !== null) return;
    const atMs = this.#options.wallNow();
    visible.stopDoubt = this.#options.clock.after(GRACE_MS, () => {
      this.#ignore(visible, "typed-over", { atMs });
    });
  }

  #trust(suggestion: Suggestion): void {
    suggestion.stopDoubt?.();
    suggestion.stopDoubt = null;
  }

  #changed(change: DocumentChange): void {
    if (change.kind === "closed") {
      const visible = this.#visible.get(change.key);
      if (visible !== undefined) this.#ignore(visible, "document-closed", {});
      for (const one of this.#moving.get(change.key) ?? []) one.isDocumentClosed = true;
      this.#retention?.closed(change.key);
      return;
    }
    this.#retention?.edited(change.key, change.edits);
    for (const suggestion of this.#moving.get(change.key) ?? []) {
      for (const edit of change.edits) suggestion.cursor = movedOffset(suggestion.cursor, edit);
    }
  }

  /** Of a text that went after some pieces were taken, those are looked after. */
  #watchPieces(suggestion: Suggestion): void {
    if (suggestion.takenChars === 0) return;
    this.#watch(suggestion, textOf(suggestion).text.slice(0, suggestion.takenChars));
  }

  #watch(suggestion: Suggestion, text: string): void {
    const { documentKey } = suggestion.facts;
    if (documentKey === null) return;
    const anchor = Math.max(0, suggestion.cursor - textOf(suggestion).replaceBefore);
    this.#retention?.add({ documentKey, text, anchor }, (afterSec, retention) => {
      this.#record({
        ...this.#base(suggestion, `retained.${afterSec}`, {}),
        type: "retained",
        afterSec,
        chars: text.length,
        ...retention,
      });
    });
  }

  #find(requestId: string): Suggestion | null {
    const id = this.#suggestionOf.get(requestId);
    return (id === undefined ? null : this.#suggestions.get(id)) ?? null;
  }

  /** Who takes a text has seen it: one that was not told as shown is shown now. */
  #findShown(requestId: string, how: CallOptions): Suggestion | null {
    const suggestion = this.#find(requestId);
    if (suggestion?.state === "produced") {
      const { visibleIndex } = suggestion;
      this.shown(requestId, { ...how, visibleIndex, isInferred: true });
    }
    return suggestion?.state === "shown" ? suggestion : null;
  }

  #base(suggestion: Suggestion, name: string, how: CallOptions): EventBase {
    return {
      v: 1,
      id: `${suggestion.id}.${name}`,
      ts: this.#at(how),
      install: this.#options.install,
      session: this.#options.session,
      request: suggestion.id,
      doc: suggestion.doc,
      lang: suggestion.facts.languageId,
      client: how.client ?? suggestion.client,
    };
  }

  #at(how: CallOptions): number {
    return Math.round(how.atMs ?? this.#options.wallNow());
  }

  #visibleMs(suggestion: Suggestion, how: CallOptions): number {
    return Math.max(0, this.#at(how) - suggestion.shownAtMs);
  }

  #record(event: TelemetryEvent): void {
    this.#options.sink.record(event);
  }
}
