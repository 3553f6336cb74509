/**
 * One request from its arrival to its outcome. Read from `complete` downwards: policy, reuse, the
 * local model, and, when that is not sure, the language model.
 */
import { Emitter } from "../base/event.ts";
import { isAbort } from "../base/signal.ts";
import type { TextBuffer } from "../base/text-buffer.ts";
import {
  type Adaptation,
  afterKey,
  type Clock,
  type CompletionError,
  type ContextSource,
  type CursorEdit,
  decideAsk,
  decideMultiline,
  estimatedTokenCounter,
  type Log,
  recall,
  remember,
  type ScopeProbe,
  viewAt,
} from "../core/index.ts";
import type { LocalModel } from "../local/index.ts";
import type { DocumentTrees } from "../syntax/index.ts";
import { adaptTo } from "./adapt-to.ts";
import type { ModelHealth } from "./backend-health.ts";
import { ContextStage } from "./context-stage.ts";
import { cursorWindow } from "./cursor-window.ts";
import { type Decision, decide, decideNone, decideReuse, isShown } from "./decision.ts";
import {
  type DocumentChange,
  type DocumentEdit,
  DocumentStore,
  type DocumentView,
  type OpenDocument,
} from "./documents.ts";
import { askLocal } from "./local-stage.ts";
import { ModelStage } from "./model-stage.ts";
import type { ModelUse } from "./model-use.ts";
import type { Offer } from "./offer.ts";
import { rememberingProbe } from "./remembering-probe.ts";
import { factsOf, type RequestFacts, type RequestPlace } from "./request-facts.ts";
import { type EngineReport, reportOf, resultOf } from "./result.ts";
import { type EngineSettings, type LanguageModel, outputLimit } from "./settings.ts";
import { Trace } from "./trace.ts";
import type { EngineRequest, EngineResult } from "./types.ts";

/** What the engine is made of. */
export interface EngineOptions {
  readonly clock: Clock;
  /** Times the engine's own work where `clock` is simulated; absent: `clock` does. */
  readonly stopwatch?: Pick<Clock, "now">;
  readonly settings: EngineSettings;
  /** The model without weights; `null` switches it off. */
  readonly local: LocalModel | null;
  /** The language model behind it; `null` when there is none. */
  readonly model: LanguageModel | null;
  readonly scopes: ScopeProbe;
  /** Keeps the syntax trees of documents; absent or `null`: the rules of `scopes` are all there is. */
  readonly trees?: DocumentTrees | null;
  /** Knows the workspace; absent or `null`: prompts hold what callers send, and nothing else. */
  readonly context?: ContextSource | null;
  /** Unique ids for requests. */
  readonly nextId: () => string;
  /** True for a path on which nothing is ever suggested, such as a file of secrets. */
  readonly isExcluded: (path: string) => boolean;
  /** What was learned of the person; absent or `null`: the show rule is the same for everybody. */
  readonly adaptation?: () => Adaptation | null;
  /** Told when the language model is left alone and when it is back; absent: nobody is. */
  readonly log?: Log;
}

/**
 * What observers hear. Each request ends in exactly one event. `facts` is `null` for a request that did
 * not get as far as its document.
 */
export type EngineEvent =
  | {
      readonly kind: "finished";
      readonly request: EngineRequest;
      readonly result: EngineResult;
      readonly facts: RequestFacts | null;
    }
  | {
      readonly kind: "failed";
      readonly id: string;
      readonly request: EngineRequest;
      readonly error: unknown;
      readonly facts: RequestFacts | null;
    };

/** The documents that the engine follows. */
export interface FollowedDocuments {
  /** Told after each edit, and when a document is closed. */
  readonly changes: Emitter<DocumentChange>;
  /** The text as it was last seen; `null` for a document that is not known. */
  bufferOf(key: string): TextBuffer | null;
}

/** Everything that an editor needs, without a transport; one for the life of the process. */
export class Engine {
  /** Told at the end of each request. */
  readonly events: Emitter<EngineEvent> = new Emitter<EngineEvent>();
  readonly #options: EngineOptions;
  readonly #documents = new DocumentStore();
  readonly #context: ContextStage;
  readonly #models: ModelStage | null;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { model, clock, settings, isExcluded, log = null } = options;
    const source = options.context ?? null;
    const deadlineMs = settings.contextDeadlineMs;
    const context = new ContextStage({ source, clock, deadlineMs, isExcluded });
    this.#context = context;
    this.#models = model === null ? null : new ModelStage({ model, clock, settings, context, log });
  }

  /** Starts to follow a document that an editor opened. Opening it again replaces its text. */
  open(document: OpenDocument): void {
    this.#documents.open(document);
    const { uri, version, path } = document;
    if (path !== null && this.#options.isExcluded(path)) return;
    const view = this.#documents.view({ kind: "open", uri, version, offset: 0 });
    if (view === "stale") return;
    this.#context.see(view);
    this.#models?.opened(view);
  }

  /** Applies an editor's edits; false when the document is unknown or the version is not newer. */
  edit(uri: string, version: number, edits: readonly DocumentEdit[]): boolean {
    return this.#documents.edit(uri, version, edits);
  }

  /** Forgets a document. */
  close(uri: string): void {
    const path = this.#documents.pathOf(uri);
    if (path !== null) this.#context.forget(path);
    this.#documents.close(uri);
  }

  /** The documents as they change, for observers. */
  get documents(): FollowedDocuments {
    return this.#documents;
  }

  /** How the language model does; `null` when there is none. */
  get modelHealth(): ModelHealth | null {
    return this.#models?.health ?? null;
  }

  /** Why the last question to the language model failed; `null` when it was answered, or there is none. */
  get modelFailure(): CompletionError | null {
    return this.#models?.failure ?? null;
  }

  /** How often the language model was asked; `null` when there is none. */
  get modelUse(): ModelUse | null {
    return this.#models?.use ?? null;
  }

  /** Aborts what runs. Later requests are answered by the local model alone. */
  dispose(): void {
    this.#models?.close();
  }

  /**
   * Completes at a cursor. Resolves with an outcome; an aborted `signal` is the outcome
   * none(cancelled). Rejects with `CompletionError` when a backend failed and nothing else could
   * answer, and with `RangeError` for an offset outside the document.
   */
  async complete(
    request: EngineRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<EngineResult> {
    const trace = new Trace(this.#options.clock, this.#options.stopwatch);
    const id = this.#options.nextId();
    const place: RequestPlace = { view: null, window: null, suggestion: null };
    const finish = (report: EngineReport): EngineResult => {
      const { decision } = report;
      const result = resultOf({ id, report, trace, explain: request.explain });
      // Hashing the place is work that only observers need.
      if (this.events.listenerCount > 0) {
        const facts = factsOf({ id, request, place, decision });
        this.events.emit({ kind: "finished", request, result, facts });
      }
      return result;
    };
    try {
      return finish(await this.#answer({ id, request, trace, place }, options.signal));
    } catch (error) {
      if (isAbort(error, options.signal)) {
        return finish(reportOf(decideNone("cancelled", "The caller went away.")));
      }
      const facts = factsOf({ id, request, place, decision: null });
      this.events.emit({ kind: "failed", id, request, error, facts });
      throw error;
    }
  }

  async #answer(
    task: {
      readonly id: string;
      readonly request: EngineRequest;
      readonly trace: Trace;
      readonly place: RequestPlace;
    },
    signal: AbortSignal,
  ): Promise<EngineReport> {
    const { id, request, trace, place } = task;
    signal.throwIfAborted();
    const view = trace.time("context", () => this.#documents.view(request.document));
    if (view === "stale") return none("stale", "The document has changed since this request.");
    place.view = view;
    if (view.path !== null && this.#options.isExcluded(view.path)) {
      return none("excluded", "This file is on the list of files that are never read.");
    }
    trace.time("context", () => this.#context.see(view));
    const { history } = view;
    history.stopWaiting?.();
    if (request.trigger === "automatic") {
      history.rhythm = afterKey(history.rhythm, this.#options.clock.now());
      this.#models?.keyPressed();
    }
    const now = viewAt(view.buffer, view.offset);
    const window = trace.time("context", () => cursorWindow(view));
    place.window = window;
    const { settings } = this.#options;
    const { buffer, offset, languageId } = view;
    const key = history.isKept ? history.id : "";
    const syntax = this.#options.trees?.at({ key, buffer, offset, languageId }) ?? null;
    const lexical = this.#options.scopes;
    const scopes = rememberingProbe(syntax?.scopeProbe(window.prefix, lexical) ?? lexical);
    const position = {
      trigger: request.trigger,
      hasSelection: request.hasSelection,
      isLanguageEnabled: !settings.disabledLanguages.has(view.languageId),
      prefix: window.prefix,
      suffix: window.suffix,
      languageId: view.languageId,
      documentLength: view.buffer.length,
      scopes,
    };
    const ask = decideAsk({ ...position, forModel: false });
    if (!ask.ask) {
      this.#models?.moved(history, now);
      return none(ask.reason, `The rule "${ask.rule}" says that nothing is asked here.`);
    }

    // A person who invokes wants a new answer; one who types wants the old one to stay.
    const known = request.trigger === "automatic" ? recall(history.answers, now) : null;
    const threshold = request.threshold ?? settings.threshold;
    // What is on screen stays though it gets shorter; only a raised threshold takes it away.
    const stays =
      known !== null && (known.answer.adapted ?? known.answer.chance ?? 1) >= threshold
        ? known
        : null;
    const reuse = ({ edit, answer }: NonNullable<typeof stays>): EngineReport => {
      this.#models?.moved(history, now);
      place.suggestion = answer.suggestion;
      return reportOf(decideReuse(edit, answer, { source: "type-through", threshold }));
    };
    if (stays?.answer.extent === "whole") return reuse(stays);

    const multiline = decideMultiline({
      mode: request.multiline,
      trigger: request.trigger,
      prefix: window.prefix,
      suffix: window.suffix,
      languageId: view.languageId,
      scopes,
    });
    const maxTokens = outputLimit(settings, request, multiline);
    const { local } = this.#options;
    const judgement = {
      threshold,
      adapt: adaptTo(this.#options.adaptation?.() ?? null, { window, trigger: request.trigger }),
      count: request.count,
      reasonIfNone: local === null ? ("no-model" as const) : ("empty" as const),
      remark: "",
    };
    const offers =
      local === null
        ? []
        : askLocal({
            local,
            view,
            window,
            multiline,
            maxTokens,
            stops: request.stop,
            scopes,
            syntax,
            isShown: (offer) => isShown(offer, judgement),
            count: request.count,
            counter: estimatedTokenCounter({ vocabulary: "large", languageId: view.languageId }),
            trace,
          });
    if (stays !== null) {
      const decision = decide(
        offers.filter((offer) => isSureRest(offer, stays.edit, settings.localChance)),
        judgement,
      );
      if (decision.shown === null) return reuse(stays);
      this.#models?.moved(history, now);
      this.#remember(view, now, { id, decision });
      return reportOf(decision);
    }
    const answered =
      this.#models === null
        ? reportOf(decide(offers, judgement))
        : await this.#models.answer(
            {
              id,
              request,
              view,
              window,
              now,
              position,
              multiline,
              maxTokens,
              offers,
              judgement,
              hasLocal: local !== null,
              scopes,
              syntax,
              trace,
              found: null,
            },
            { signal },
          );
    this.#remember(view, now, { id, decision: answered.decision });
    if (!request.explain || answered.prompt !== null) return answered;
    // Nothing was sent; a person who wants to know sees what would be.
    const { prefix } = window;
    const sent = request.snippets;
    const found = await this.#context.find({ view, sent, prefix, scopes, trace }, { signal });
    return { ...answered, snippets: found ?? view.history.settled?.snippets ?? [] };
  }

  #remember(
    view: DocumentView,
    now: ReturnType<typeof viewAt>,
    given: { readonly id: string; readonly decision: Decision },
  ): void {
    const { shown, adapted } = given.decision;
    if (shown === null) return;
    const { chance, model, source, extent } = shown;
    const { history } = view;
    const answer = { suggestion: given.id, chance, adapted, model, source, extent };
    history.answers = remember(history.answers, { view: now, edit: shown.edit, answer });
  }
}

/** True for a whole line that begins with the part on the screen, and is likely enough to be final. */
function isSureRest(offer: Offer, part: CursorEdit, localChance: number): boolean {
  return (
    offer.kind === "kept" &&
    offer.extent === "whole" &&
    (offer.chance ?? 0) >= localChance &&
    offer.edit.replaceBefore === part.replaceBefore &&
    offer.edit.text.startsWith(part.text)
  );
}

function none(reason: Parameters<typeof decideNone>[0], words: string): EngineReport {
  return reportOf(decideNone(reason, words));
}
