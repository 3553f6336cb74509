/**
 * Connects the editor's ghost text with the server. A key press that continues the text on screen is
 * answered from that text; everything else is one request, withdrawn when the editor loses interest.
 */
import { isAbort } from "../../../base/signal.ts";
import type { CursorEdit } from "../../../core/index.ts";
import type { AutocompleteBody, AutocompleteReply } from "../../../protocol/autocomplete.ts";
import type { CounterEvent } from "../counters.ts";
import type { GhostEvent } from "../event-queue.ts";
import type { KeyPress, OfferedText } from "../key-press.ts";
import { NewestKeyPress, type Question } from "../newest-key-press.ts";
import { textAround } from "./cursor-text.ts";
import { replacementFor } from "./ghost-item.ts";
import {
  distinct,
  type FittingEdit,
  type HeldAnswers,
  hold,
  stillFitting,
} from "./held-answers.ts";
import { type CancellationToken, type editor, languages, type Position } from "./monaco.ts";

/** How many texts to ask for, so that the person can turn over to another one at once. */
const ALTERNATIVES = 3;

/** How a document is named to the server. */
export interface DocumentName {
  readonly path: string;
  readonly languageId: string;
  /** New for each opening of the file, since the version starts again with it. */
  readonly session: string;
}

/** What the provider needs from the page. */
export interface GhostPort {
  readonly ask: (body: AutocompleteBody, signal: AbortSignal) => Promise<AutocompleteReply>;
  readonly nameOf: (model: editor.ITextModel) => DocumentName | null;
  readonly hasSelection: () => boolean;
  readonly settings: () => { readonly paused: boolean; readonly threshold: number | null };
  /** Monotonic milliseconds, the clock of `keyPressedAt`. */
  readonly now: () => number;
  /** When the key was pressed that led to this question; `null` when no key did. */
  readonly takeKeyPress: () => number | null;
  readonly onKeyPress: (keyPress: KeyPress) => void;
  /** Calls back once after so many milliseconds; the returned function cancels that. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly onCount: (event: CounterEvent) => void;
  /** What became of a text, for the server's notes. */
  readonly onEvent: (event: GhostEvent) => void;
  /** True while the editor has the focus. */
  readonly hasFocus: () => boolean;
  /** Version of the text in the editor. */
  readonly version: () => number;
  /** The ghost text on screen, or that there is none. */
  readonly onGhost: (ghost: Ghost | null) => void;
  readonly onFailure: (error: unknown) => string;
}

/** Which of how many texts is on screen; both count from 1. */
export interface Ghost {
  readonly index: number;
  readonly of: number;
}

/** One text in the editor's form, with what is needed to count what becomes of it. */
export interface GhostItem extends languages.InlineCompletion {
  readonly replyId: string;
  /** Which of the texts of its answer, from 0. */
  readonly index: number;
  /** Version of the text for which it was made. */
  readonly version: number;
  /** Length of the part of `insertText` that stands in the document already. */
  readonly typedLength: number;
  readonly ghostLength: number;
}

/** What one question is answered with. */
export type GhostList = languages.InlineCompletions<GhostItem>;

const nothing: GhostList = { items: [] };

/** Answers the editor's questions. One for the life of the page. */
export class GhostProvider {
  readonly #port: GhostPort;
  readonly #newest: NewestKeyPress;
  #held: HeldAnswers = [];
  #heldFor: string | null = null;
  #epoch = 0;
  #visible: GhostItem | null = null;
  /** Which of the texts on offer is drawn. The editor tells of each only the first time. */
  #ghost: Ghost = { index: 1, of: 1 };
  #step: 1 | 0 | -1 = 0;
  /** The answer and the text that the server knows to be on screen. */
  #told = "";
  #taken: { readonly item: GhostItem; readonly characters: number } | null = null;

  constructor(port: GhostPort) {
    this.#port = port;
    this.#newest = new NewestKeyPress(port);
  }

  /** Another setting holds from here on: neither this page nor the server may go by old answers. */
  startAnew(): void {
    this.#held = [];
    this.#epoch++;
    this.#newest.forget();
  }

  /** The texts to draw at a position; none is an empty list, never a rejection. */
  async provide(
    model: editor.ITextModel,
    position: Position,
    context: languages.InlineCompletionContext,
    token: CancellationToken,
  ): Promise<GhostList> {
    const askedAt = this.#port.now();
    const editorWaitMs = Math.max(0, askedAt - (this.#port.takeKeyPress() ?? askedAt));
    const name = this.#port.nameOf(model);
    if (name === null) return nothing;
    const { paused, threshold } = this.#port.settings();
    if (paused) {
      this.#newest.needsNoAnswer({ kind: "paused" });
      return nothing;
    }
    const { view, prefix, suffix } = textAround(model, position);
    const cursor = { model, position };
    const isInvoked = context.triggerKind === languages.InlineCompletionTriggerKind.Explicit;
    const session = `${name.session}.${this.#epoch}`;
    if (this.#heldFor !== session) this.#held = [];
    this.#heldFor = session;
    // Who asks by hand wants a new look; who types along does not.
    const fitting = isInvoked ? null : stillFitting(this.#held, view);
    if (fitting !== null) {
      const { reply, fits } = fitting;
      const reuseMs = this.#port.now() - askedAt;
      this.#port.onCount({ kind: "typed-through" });
      const offered = offeredBy(fits);
      this.#newest.needsNoAnswer({ kind: "typed-through", editorWaitMs, reuseMs, reply, offered });
      return this.#offer(fits, reply, cursor);
    }
    const trigger = isInvoked ? "invoked" : "automatic";
    const version = model.getVersionId();
    const body = {
      prefix,
      suffix,
      path: name.path,
      language: name.languageId,
      session,
      version,
      trigger,
      n: ALTERNATIVES,
      selection: this.#port.hasSelection(),
      explain: true,
      ...(threshold === null ? {} : { threshold }),
    } as const;
    const question = this.#newest.asks(trigger);
    const reply = await this.#ask(body, { question, token });
    if (reply === null) return nothing;
    const isOutdated = model.isDisposed() || model.getVersionId() !== version;
    if (token.isCancellationRequested || isOutdated) {
      question.isWithdrawn();
      return nothing;
    }
    const roundTripMs = this.#port.now() - askedAt;
    const fits = fitsOf(reply);
    const offered = offeredBy(fits);
    question.ends({ kind: "answered", trigger, editorWaitMs, roundTripMs, reply, offered });
    this.#held = hold(this.#held, { reply, edits: fits.map(({ edit }) => edit), view });
    return this.#offer(fits, reply, cursor);
  }

  #offer(
    fits: readonly FittingEdit[],
    reply: AutocompleteReply,
    cursor: { readonly model: editor.ITextModel; readonly position: Position },
  ): GhostList {
    this.#ghost = turned({ index: 1, of: fits.length }, this.#step);
    this.#step = 0;
    const edits = fits.map(({ edit }) => edit);
    return listOf(edits, reply, cursor);
  }

  /** `null` when the question was withdrawn or failed; either is reported here. */
  async #ask(
    body: AutocompleteBody,
    { question, token }: { readonly question: Question; readonly token: CancellationToken },
  ): Promise<AutocompleteReply | null> {
    const controller = new AbortController();
    const listener = token.onCancellationRequested(() => controller.abort());
    this.#port.onCount({ kind: "requested" });
    try {
      return await this.#port.ask(body, controller.signal);
    } catch (error) {
      if (isAbort(error, controller.signal)) question.isWithdrawn();
      else question.ends({ kind: "failed", message: this.#port.onFailure(error) });
      return null;
    } finally {
      listener.dispose();
    }
  }

  /** An item is on screen. */
  shown(item: GhostItem): void {
    this.#visible = item;
    this.#port.onGhost(this.#ghost);
    this.#port.onCount({ kind: "shown", id: item.replyId });
    const { replyId: request, index: visible_index } = item;
    const told = `${request} ${visible_index}`;
    // The editor says it again with every key that is typed along.
    if (told === this.#told) return;
    this.#told = told;
    this.#port.onEvent({ type: "shown", request, visible_index, inferred: false });
  }

  /**
   * The person is about to turn to the next text (1) or the previous one (-1), or asks anew (0). The
   * first turn asks again before it moves.
   */
  turn(step: 1 | 0 | -1): void {
    this.#step = step;
    this.#ghost = turned(this.#ghost, step);
    if (this.#visible !== null) this.#port.onGhost(this.#ghost);
  }

  /** A word or a line of an item was taken; the editor counts from the start of the item. */
  partlyAccepted(item: GhostItem, part: languages.PartialAcceptInfo): void {
    const before = this.#charactersTaken(item);
    const characters = part.acceptedLength - item.typedLength;
    this.#taken = { item, characters };
    if (characters <= before) return;
    this.#port.onCount({ kind: "accepted", id: item.replyId, characters: characters - before });
    this.#port.onEvent({
      type: "accepted_partial",
      request: item.replyId,
      kind: pieceKind(part.kind),
      chars: characters - before,
    });
  }

  /** The editor has no more use for an item. */
  ended(item: GhostItem, reason: languages.InlineCompletionEndOfLifeReason<GhostItem>): void {
    const kinds = languages.InlineCompletionEndOfLifeReasonKind;
    const { replyId: request, index: visible_index } = item;
    if (reason.kind === kinds.Accepted) {
      // Where the same is typed again the text is a new suggestion, with an end of its own.
      this.#held = [];
      const characters = item.ghostLength - this.#charactersTaken(item);
      this.#port.onCount({ kind: "accepted", id: request, characters });
      const chars = Math.max(0, characters);
      this.#port.onEvent({ type: "accepted", request, kind: "full", visible_index, chars });
    } else if (reason.kind === kinds.Rejected) {
      this.#held = [];
      this.#port.onEvent({ type: "rejected", request });
    } else if (item === this.#visible && reason.supersededBy?.replyId !== request) {
      // What is typed along, or turned over to, is another item of the same answer.
      this.#port.onEvent({ type: "ignored", request, why: this.#whyIgnored(item, reason) });
    }
    if (item !== this.#visible) return;
    this.#visible = null;
    this.#port.onGhost(null);
  }

  #whyIgnored(
    item: GhostItem,
    reason: { readonly supersededBy?: GhostItem; readonly userTypingDisagreed: boolean },
  ): "superseded" | "typed-over" | "blur" | "cursor-moved" {
    if (reason.supersededBy !== undefined) return "superseded";
    if (reason.userTypingDisagreed || item.version !== this.#port.version()) return "typed-over";
    return this.#port.hasFocus() ? "cursor-moved" : "blur";
  }

  #charactersTaken(item: GhostItem): number {
    return this.#taken?.item === item ? this.#taken.characters : 0;
  }
}

function turned({ index, of }: Ghost, step: number): Ghost {
  return of === 0 ? { index, of } : { index: ((index - 1 + step + of) % of) + 1, of };
}

function pieceKind(kind: languages.PartialAcceptTriggerKind): "word" | "line" | "other" {
  const kinds = languages.PartialAcceptTriggerKind;
  return kind === kinds.Word ? "word" : kind === kinds.Line ? "line" : "other";
}

function fitsOf(reply: AutocompleteReply): readonly FittingEdit[] {
  if (reply.completion === "") return [];
  const texts = [reply, ...(reply.alternatives ?? [])].map((one) => ({
    edit: {
      text: one.completion,
      replaceBefore: one.replace_before,
      replaceAfter: one.replace_after,
    },
    whole: one.completion,
  }));
  return distinct(texts);
}

function offeredBy(fits: readonly FittingEdit[]): readonly OfferedText[] {
  return fits.map(({ edit, whole }) => ({ text: edit.text, whole }));
}

function listOf(
  edits: readonly CursorEdit[],
  reply: AutocompleteReply,
  cursor: { readonly model: editor.ITextModel; readonly position: Position },
): GhostList {
  const { lineNumber, column } = cursor.position;
  const line = { lineNumber, column, text: cursor.model.getLineContent(lineNumber) };
  return {
    items: edits.map((edit, index) => ({
      ...replacementFor(edit, line),
      replyId: reply.id,
      index,
      version: cursor.model.getVersionId(),
      typedLength: column - 1 - edit.replaceBefore,
      // What is replaced recurs in the text: those characters stood there already.
      ghostLength: edit.text.length - edit.replaceBefore - edit.replaceAfter,
    })),
  };
}
