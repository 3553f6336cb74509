/**
 * An engine that lets a running `midspan serve` answer, whose index and model are then shared, and
 * answers itself whenever the server does not. The own engine follows every document all the time, so
 * that it can go on in the middle of a word.
 */
import { LruMap } from "../base/lru.ts";
import type { TextBuffer } from "../base/text-buffer.ts";
import type { Clock } from "../core/index.ts";
import type { DocumentEdit, EngineRequest, EngineResult, OpenDocument } from "../engine/index.ts";
import { autocompleteLimits } from "../protocol/autocomplete.ts";
import { DecodeError } from "../protocol/decode.ts";
import type { EditorEngine, Feedback } from "./ports.ts";
import { bodyOf, resultOfReply, type SharedText } from "./shared-reply.ts";
import type { SharedServer } from "./shared-server.ts";

/** Answers of the server that feedback may still come for. */
const MAX_ANSWERS = 1_000;

export interface SharedEngineOptions {
  readonly server: SharedServer;
  readonly own: EditorEngine;
  /** Events about own answers; `null` where nobody keeps them. */
  readonly ownFeedback: Feedback | null;
  /** Text of a document that `own` follows. */
  readonly bufferOf: (uri: string) => TextBuffer | null;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Random word of this process. */
  readonly session: string;
  /** Name of the editor. */
  readonly client: string;
}

export class SharedEngine implements EditorEngine {
  readonly feedback: Feedback;
  readonly #options: SharedEngineOptions;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #answers = new LruMap<string, true>(MAX_ANSWERS);
  #telling: Promise<unknown> = Promise.resolve();
  #eventCount = 0;
  #questionCount = 0;

  constructor(options: SharedEngineOptions) {
    this.#options = options;
    this.feedback = this.#feedback();
  }

  open(document: OpenDocument): void {
    this.#documents.set(document.uri, { ...document, text: "" });
    this.#options.own.open(document);
  }

  edit(uri: string, version: number, edits: readonly DocumentEdit[]): boolean {
    return this.#options.own.edit(uri, version, edits);
  }

  close(uri: string): void {
    this.#documents.delete(uri);
    this.#options.own.close(uri);
  }

  async complete(
    request: EngineRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<EngineResult> {
    const { server, own, clock } = this.#options;
    const text = server.isThere ? this.#textOf(request) : null;
    if (text === null) return own.complete(request, options);
    const startedAt = clock.now();
    const reply = await server.complete(bodyOf(text, request), options);
    if (reply === null) return own.complete(request, options);
    try {
      const result = resultOfReply(reply, clock.now() - startedAt);
      this.#answers.set(result.id, true);
      return result;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return own.complete(request, options);
    }
  }

  /** `null` where the text is longer than the server takes. O(length), as the transport is. */
  #textOf(request: EngineRequest): SharedText | null {
    const { document } = request;
    const { session } = this.#options;
    const maxUnits = autocompleteLimits.textUnits;
    if (document.kind === "text") {
      const { prefix, suffix, path, languageId } = document;
      if (prefix.length + suffix.length > maxUnits) return null;
      // It is not what the document holds: it must not become a version of it.
      return { prefix, suffix, path, languageId: languageId ?? "", known: null };
    }
    const buffer = this.#options.bufferOf(document.uri);
    const opened = this.#documents.get(document.uri);
    if (buffer === null || opened === undefined || buffer.length > maxUnits) return null;
    return {
      prefix: buffer.slice(0, document.offset),
      suffix: buffer.slice(document.offset, buffer.length),
      path: opened.path,
      languageId: opened.languageId,
      // Of the questions, not the document's own: that begins anew when it is opened again, and the
      // server would take what follows for old.
      known: { session, version: ++this.#questionCount },
    };
  }

  #feedback(): Feedback {
    const { ownFeedback } = this.#options;
    const own = ownFeedback?.telemetry;
    return {
      telemetry: {
        shown: (id, how) => {
          if (!this.#answers.get(id)) return own?.shown(id, how);
          const { visibleIndex, isInferred } = how;
          this.#tell(id, { type: "shown", visible_index: visibleIndex, inferred: isInferred });
        },
        acceptedPartly: (id, piece) => {
          if (!this.#answers.get(id)) return own?.acceptedPartly(id, piece);
          this.#tell(id, { type: "accepted_partial", kind: piece.kind, chars: piece.chars });
        },
        accepted: (id, how) => {
          if (!this.#answers.get(id)) return own?.accepted(id, how);
          const { kind, visibleIndex } = how;
          this.#tell(id, { type: "accepted", kind, visible_index: visibleIndex });
        },
        rejected: (id) => {
          if (!this.#answers.get(id)) return own?.rejected(id);
          this.#tell(id, { type: "rejected" });
        },
        ignored: (id, why) => {
          if (!this.#answers.get(id)) return own?.ignored(id, why);
          this.#tell(id, { type: "ignored", why });
        },
      },
      flush: async () => {
        await Promise.all([this.#telling, ownFeedback?.flush()]);
      },
    };
  }

  /** One after the other, so that the server hears them in order. What it does not take is lost. */
  #tell(request: string, what: Parameters<typeof eventOf>[1]): void {
    const { server, client, session, wallNow } = this.#options;
    const id = `${session}-${this.#eventCount++}`;
    const event = eventOf({ id, request, ts: wallNow() }, what);
    this.#telling = this.#telling.then(() => server.tell(event, client)).catch(() => {});
  }
}

type Told = Parameters<SharedServer["tell"]>[0];
type WithoutBase<Event> = Event extends unknown ? Omit<Event, "id" | "request" | "ts"> : never;

function eventOf(base: Pick<Told, "id" | "request" | "ts">, what: WithoutBase<Told>): Told {
  return { ...base, ...what };
}
