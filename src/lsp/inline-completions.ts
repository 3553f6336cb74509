/**
 * Requests for completions of one client. At most one runs per document: a newer one ends it, since
 * some clients never cancel. What comes back is checked against the document as it then is; an answer
 * for an older text is never given.
 */
import { linkSignals } from "../base/signal.ts";
import type { Clock, Log } from "../core/index.ts";
import { type EngineResult, requestFor } from "../engine/index.ts";
import type { ClientProfile } from "./client-profile.ts";
import type { OfferedItem } from "./offered-item.ts";
import type { InlineQuestion } from "./params.ts";
import { isPastEnd, offsetOfPosition } from "./position.ts";
import { selectedEntry, withSelectedEntry } from "./selected-entry.ts";
import type { Suggestions } from "./suggestions.ts";
import type { TextDocument } from "./text-document.ts";
import type { Workspace } from "./workspaces.ts";

/** Texts for a person who asks by command, and turns over them; one who types sees the first. */
const INVOKED_COUNT = 3;

/** How a request ends. */
export type Answer =
  | { readonly kind: "items"; readonly items: readonly OfferedItem[] }
  /** A newer request of the same document came. */
  | { readonly kind: "superseded" }
  /** The document changed while the answer was made. */
  | { readonly kind: "modified" }
  /** The client cancelled. */
  | { readonly kind: "cancelled" };

const noItems: Answer = { kind: "items", items: [] };

/** Milliseconds from a request's arrival to its answer. */
export interface Latency {
  readonly ms: number;
  readonly hasItems: boolean;
}

export interface InlineCompletionsOptions {
  readonly profile: ClientProfile;
  readonly suggestions: Suggestions;
  readonly clock: Clock;
  readonly log: Log;
  /** Texts of earlier cells, for a cell of a notebook. */
  readonly snippetsOf: (uri: string) => ReturnType<typeof requestFor>["snippets"];
  readonly onAnswer: (latency: Latency) => void;
}

/** The last question and what it was about, for those who ask why. */
export interface LastQuestion {
  readonly question: InlineQuestion;
  readonly workspace: Workspace;
  readonly document: TextDocument;
}

export class InlineCompletions {
  readonly #options: InlineCompletionsOptions;
  readonly #running = new Map<string, AbortController>();
  #last: LastQuestion | null = null;

  constructor(options: InlineCompletionsOptions) {
    this.#options = options;
  }

  get last(): LastQuestion | null {
    return this.#last;
  }

  /** Ends what runs for a document; nothing is answered for it any more. */
  stop(uri: string): void {
    this.#running.get(uri)?.abort(superseded);
  }

  /** Answers one question. `signal` is the client's own cancellation. */
  async ask(
    about: { readonly question: InlineQuestion } & Pick<LastQuestion, "workspace" | "document">,
    options: { readonly signal: AbortSignal },
  ): Promise<Answer> {
    const { question, workspace, document } = about;
    const { clock, profile, suggestions } = this.#options;
    const startedAt = clock.now();
    this.stop(document.uri);
    this.#last = about;
    if (document.isOutOfStep || isPastEnd(document.buffer, question.position, profile.encoding)) {
      return noItems;
    }
    const { controller, unlink } = linkSignals(options.signal);
    this.#running.set(document.uri, controller);
    suggestions.asked(document.uri);
    const { revision } = document;
    try {
      const result = await this.#complete(about, { explain: false, signal: controller.signal });
      const ended = endOf(controller.signal, options.signal);
      if (ended !== null) return ended;
      if (document.revision !== revision) return { kind: "modified" };
      const items = result === null ? [] : this.#itemsOf(about, result);
      this.#options.onAnswer({ ms: clock.now() - startedAt, hasItems: items.length > 0 });
      const feedback = workspace.opened?.feedback ?? null;
      suggestions.offer(items, { feedback, shownAs: question.shownAs });
      return { kind: "items", items };
    } catch (error) {
      const ended = endOf(controller.signal, options.signal);
      if (ended !== null) return ended;
      throw error;
    } finally {
      unlink();
      if (this.#running.get(document.uri) === controller) this.#running.delete(document.uri);
    }
  }

  /** Asks the last question again and says how it was decided; `null` when nothing was asked yet. */
  async explainLast(options: { readonly signal: AbortSignal }): Promise<EngineResult | null> {
    const last = this.#last;
    if (last === null || last.document.isOutOfStep) return null;
    return this.#complete(last, { explain: true, ...options });
  }

  /** Ends everything. */
  dispose(): void {
    for (const controller of this.#running.values()) controller.abort(superseded);
  }

  async #complete(
    { question, workspace, document }: LastQuestion,
    options: { readonly explain: boolean; readonly signal: AbortSignal },
  ): Promise<EngineResult | null> {
    const { signal, explain } = options;
    const { revision, buffer, uri } = document;
    if (workspace.opened === null) await raceAbort(workspace.ready, signal);
    const { opened } = workspace;
    if (opened === null || document.revision !== revision) return null;
    const { profile, snippetsOf } = this.#options;
    const offset = offsetOfPosition(buffer, question.position, profile.encoding);
    const entry = selectedEntry(document, question, profile.encoding);
    const isInvoked = question.trigger === "invoked";
    const about = {
      trigger: question.trigger,
      count: isInvoked ? INVOKED_COUNT : 1,
      snippets: snippetsOf(uri),
      explain,
      // Whoever asks why a text was shown types nothing.
      isNoted: !explain,
    };
    if (entry !== null) {
      const path = workspace.pathOf(uri);
      const text = withSelectedEntry(buffer, offset, entry);
      const place = { kind: "text", ...text, path, session: null, version: null } as const;
      const request = requestFor({ ...place, languageId: document.languageId || null }, about);
      return opened.engine.complete(request, { signal });
    }
    const place = { kind: "open", uri, version: revision, offset } as const;
    return opened.engine.complete(requestFor(place, about), { signal });
  }

  #itemsOf({ question, document }: LastQuestion, result: EngineResult): readonly OfferedItem[] {
    const { outcome, alternatives, id } = result;
    if (outcome.kind === "none") return [];
    const { buffer, uri, version } = document;
    const { encoding } = this.#options.profile;
    const offset = offsetOfPosition(buffer, question.position, encoding);
    const entry = selectedEntry(document, question, encoding);
    return [outcome.edit, ...alternatives].map((edit, index) => ({
      id: index === 0 ? id : `${id}.${index}`,
      requestId: id,
      index,
      edit:
        entry === null
          ? edit
          : { ...edit, text: entry.text + edit.text, replaceBefore: entry.replaceBefore },
      ...{ uri, buffer, offset, version, hasEntry: entry !== null },
    }));
  }
}

const superseded = new Error("a newer request of this document came");

/** Whose end it was; `null` while the request goes on. The client's own word goes first. */
function endOf(own: AbortSignal, client: AbortSignal): Answer | null {
  if (client.aborted) return { kind: "cancelled" };
  return own.aborted ? { kind: "superseded" } : null;
}

/** Waits for `work`, or rejects with the reason of `signal`. */
async function raceAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let abandon = (): void => {};
  const aborted = new Promise<void>((_, reject) => {
    abandon = () => reject(signal.reason);
  });
  signal.addEventListener("abort", abandon, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}
