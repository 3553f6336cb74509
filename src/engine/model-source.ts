/**
 * Where a language model's text comes from: the cache, a request under way, a request that was made
 * ahead, or a new one after a wait. Whatever was asked before is not asked again.
 */
import {
  AnswerCache,
  afterAnswer,
  type Clock,
  CompletionError,
  type CursorEdit,
  type CursorView,
  createStreamCutter,
  decideAsk,
  decideMultiline,
  type FinishReason,
  type Sureness,
  surenessOf,
  triggerScore,
  typedSince,
  type Usage,
  viewAt,
  waitMs,
} from "../core/index.ts";
import type { ContextStage } from "./context-stage.ts";
import { cursorWindow } from "./cursor-window.ts";
import type { DocumentHistory } from "./document-history.ts";
import type { DocumentView } from "./documents.ts";
import { HealedCutter } from "./healed-cutter.ts";
import { ModelCalls, type ModelReply } from "./model-calls.ts";
import type { ModelQuestion } from "./model-question.ts";
import type { ModelUseCounter } from "./model-use.ts";
import { Prefetch } from "./prefetch.ts";
import { type PreparedRequest, PromptStage } from "./prompt-stage.ts";
import { noUsage } from "./result.ts";
import { type EngineSettings, type LanguageModel, outputLimit } from "./settings.ts";
import { waitForTurn } from "./wait-for-turn.ts";
import { WarmUp, wasSent } from "./warm-up.ts";

/** After this time a request is on its way, and the thread is free. */
const SENT_MS = 1;
/** Requests to a backend at a time; more wait for their turn. */
const MAX_RUNS = 64;

export interface ModelSourceOptions {
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly settings: EngineSettings;
  readonly context: ContextStage;
}

/** A model's text as it came, and what it cost. */
export interface ModelText {
  readonly raw: string;
  readonly finishReason: FinishReason;
  /** `null` where the backend does not say. */
  readonly sureness: Sureness | null;
  readonly usage: Usage;
  readonly source: "model" | "cache" | "prefetch";
}

export class ModelSource {
  readonly #options: ModelSourceOptions;
  readonly #calls: ModelCalls;
  readonly #prompts: PromptStage;
  readonly #cache = new AnswerCache();
  readonly #ahead: Prefetch;
  readonly #warmUp: WarmUp;

  constructor(options: ModelSourceOptions) {
    const { model, clock, settings } = options;
    this.#options = options;
    this.#calls = new ModelCalls(model.backend, clock, { policy: "join", maxRuns: MAX_RUNS });
    this.#prompts = new PromptStage(options);
    this.#ahead = new Prefetch(model.backend, clock, this.#cache);
    this.#warmUp = new WarmUp(model.backend, clock, settings.timeoutMs);
  }

  /** The document changed and the language model is not asked. */
  moved(history: DocumentHistory, now: CursorView): void {
    this.#calls.moved(history.id, now);
  }

  /** How often the model is asked. */
  get use(): ModelUseCounter {
    return this.#calls.use;
  }

  /** Aborts what runs. */
  close(): void {
    this.#ahead.stop();
    this.#warmUp.stop();
    this.#prompts.close();
    this.#calls.close();
  }

  /** See `PromptStage.followingTokens`. */
  followingTokens({ view, maxTokens }: ModelQuestion): number | null {
    return this.#prompts.followingTokens(view, maxTokens);
  }

  /** Makes the request; what is sent can be looked at before it is. */
  prepare(question: ModelQuestion): PreparedRequest {
    const isHealed = this.#options.settings.isHealed && !isPlain(question);
    return this.#build(question, isHealed);
  }

  /**
   * The model's text; `null` when a newer request of the document took this one's place. Rejects with
   * `CompletionError` when the model fails, and with the reason of `signal`.
   */
  async text(
    question: ModelQuestion,
    prepared: PreparedRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<ModelText | null> {
    const { request, view, now } = question;
    const { history } = view;
    const { key } = prepared;
    const isAutomatic = request.trigger === "automatic";
    await this.#ahead.yieldTo(key);
    // A sampled answer is not the only one, and a person who invokes wants a fresh one.
    const cached = isAutomatic && request.temperature === 0 ? this.#cache.get(key) : null;
    if (cached !== null) {
      this.#calls.moved(history.id, now);
      const source = this.#ahead.has(key) ? "prefetch" : "cache";
      const { text, finishReason, scores } = cached;
      const sureness = surenessOf(scores, { start: 0, end: text.length });
      return { raw: text, finishReason, sureness, usage: noUsage, source };
    }
    // A greedy model asked again after part of its own text goes on as it did.
    const rest = isAutomatic && request.temperature === 0 ? restOfWritten(question) : null;
    if (rest !== null) {
      this.#calls.moved(history.id, now);
      return rest;
    }
    // Joining costs nothing, so there is nothing to wait for.
    if (isAutomatic && !this.#calls.mayJoin(history.id, now)) {
      this.#calls.moved(history.id, now);
      if (this.#mayWarmUp(view) && !wasSent(history, history.settled?.snippets ?? [])) {
        this.#warmUp.start(prepared.request);
      }
      const isNewest = await this.#wait(question, options.signal);
      if (!isNewest) return null;
    }
    return this.#ask(question, prepared, options.signal);
  }

  /** Asks ahead for the state after a text is accepted, if the backend has nothing else to do. */
  askAhead(question: ModelQuestion, shown: CursorEdit): void {
    const { settings } = this.#options;
    const mayComeTrue = question.view.history.isKept && !isPlain(question);
    if (!settings.isPrefetched || !mayComeTrue || this.#calls.running > 0) return;
    const next = afterAccept(question, shown, settings);
    if (!decideAsk({ ...next.position, forModel: true }).ask) return;
    const prepared = this.#buildAhead(next);
    if (prepared === null) return;
    this.#warmUp.stop();
    this.#ahead.start({
      key: prepared.key,
      request: { ...prepared.request, priority: "prefetch" },
      createCutter: () => cutterFor(next, prepared),
      timeoutMs: settings.timeoutMs,
    });
  }

  /** A document was opened: what of its prompt is known without a cursor can be read already. */
  opened(view: DocumentView): void {
    if (!this.#mayWarmUp(view) || view.history.sentSnippets !== null) return;
    const request = this.#prompts.buildOpened(view);
    if (request !== null) this.#warmUp.start(request);
  }

  /** The model is not asked at this place, but may be at the next key: its prompt can be read ahead. */
  warmUp(question: ModelQuestion): void {
    const { view, found } = question;
    if (isPlain(question) || !this.#mayWarmUp(view)) return;
    if (wasSent(view.history, found ?? view.history.settled?.snippets ?? [])) return;
    const prepared = this.#orNone(() => this.#build(question, this.#options.settings.isHealed));
    if (prepared !== null) this.#warmUp.start(prepared.request);
  }

  /** Only for servers that keep a cache and say so, and never beside something that is waited for. */
  #mayWarmUp({ history }: DocumentView): boolean {
    const { settings, model } = this.#options;
    return (
      settings.isWarmed &&
      history.isKept &&
      model.format.fim === "client" &&
      model.backend.capabilities.cachedTokens &&
      this.#calls.running === 0 &&
      !this.#ahead.isRunning
    );
  }

  #build(question: ModelQuestion, isHealed: boolean): PreparedRequest {
    const options = { isHealed, isPlain: isPlain(question), isAhead: false };
    return question.trace.time("prompt", () => this.#prompts.build(question, options));
  }

  #buildAhead(question: ModelQuestion): PreparedRequest | null {
    const { isHealed } = this.#options.settings;
    const options = { isHealed, isPlain: false, isAhead: true };
    return this.#orNone(() => this.#prompts.build(question, options));
  }

  /** `null` without room for a prompt: what is shown must not fail for what nobody asked. */
  #orNone(build: () => PreparedRequest): PreparedRequest | null {
    try {
      return build();
    } catch (error) {
      if (error instanceof CompletionError) return null;
      throw error;
    }
  }

  /** Waits as long as the trigger score says; false when a newer request came meanwhile. */
  async #wait(question: ModelQuestion, signal: AbortSignal): Promise<boolean> {
    const { view, position, trace } = question;
    const { clock } = this.#options;
    const score = triggerScore({ ...position, offset: view.offset, lastOutcome: null });
    const startedAt = clock.now();
    const ms = waitMs(score, view.history.rhythm);
    const isNewest = await waitForTurn(clock, view.history, { ms, signal });
    trace.add("queue", clock.now() - startedAt);
    return isNewest;
  }

  async #ask(
    question: ModelQuestion,
    prepared: PreparedRequest,
    signal: AbortSignal,
  ): Promise<ModelText | null> {
    const { request, key } = prepared;
    const { now, view, trace } = question;
    const { history } = view;
    this.#warmUp.stop();
    wasSent(history, question.request.snippets);
    const plan = {
      question: {
        id: question.id,
        document: history.id,
        key,
        view: now,
        isOnce: !history.isKept,
      },
      request,
      createCutter: () => cutterFor(question, prepared),
      timeoutMs: this.#options.settings.timeoutMs,
    };
    const { clock } = this.#options;
    const askedAt = clock.now();
    // While the model works there is time for what its text will be held against.
    const { scopes, window } = question;
    const stopLook = clock.after(SENT_MS, () => scopes.at(window.prefix, view.languageId));
    const answer = await this.#calls
      .ask(plan, { signal })
      .catch((error: unknown) => {
        // The wait for a first token that never came.
        trace.add("ttft", clock.now() - askedAt);
        throw error;
      })
      .finally(stopLook);
    if (answer.kind === "superseded") return null;
    const { reply } = answer;
    trace.add("ttft", reply.ttftMs);
    trace.add("decode", reply.decodeMs);
    history.rhythm = afterAnswer(history.rhythm, reply.ttftMs + reply.decodeMs);
    if (reply.isMissed) {
      // The model would have written something else there: ask with the whole text before the cursor.
      const whole = this.#build(question, false);
      return this.#ask({ ...question, id: `${question.id}+` }, whole, signal);
    }
    const raw = continuation(reply, now);
    if (raw === null) return null;
    const { text, finishReason, scores } = reply;
    const sureness = surenessOf(scores, { start: text.length - raw.length, end: text.length });
    const found = { raw, finishReason, sureness, source: "model" } as const;
    if (request.temperature === 0) {
      history.written = {
        ...{ text, finishReason, scores, askedAt: reply.askedAt },
        multiline: question.multiline,
      };
    }
    if (reply.isJoined) return { ...found, usage: noUsage };
    // Whoever invokes again wants a fresh text; an editor may come back to the same place by itself.
    const mayServe = question.request.trigger === "automatic" || history.isKept;
    if (request.temperature === 0 && mayServe) this.#cache.put(key, { text, finishReason, scores });
    return { ...found, usage: reply.usage };
  }
}

function cutterFor(question: ModelQuestion, { stops, forced }: PreparedRequest): HealedCutter {
  const { window, multiline, view, scopes } = question;
  const { prefix, suffix } = window;
  const { languageId } = view;
  const inner = createStreamCutter({ stops, multiline, prefix, suffix, languageId, scopes });
  const before = prefix.charAt(prefix.length - forced.length - 1);
  return new HealedCutter(forced, inner, { isInLine: before !== "" && before !== "\n" });
}

/** The question that will be asked once the text is accepted and nothing else is typed. */
function afterAccept(
  question: ModelQuestion,
  shown: CursorEdit,
  settings: EngineSettings,
): ModelQuestion {
  const { view, position, request, scopes } = question;
  const start = view.offset - shown.replaceBefore;
  const buffer = view.buffer.edit(start, view.offset + shown.replaceAfter, shown.text);
  const next = { ...view, buffer, offset: start + shown.text.length };
  const window = cursorWindow(next);
  const { prefix, suffix } = window;
  const { languageId } = view;
  const { trigger } = request;
  const mode = request.multiline;
  const multiline = decideMultiline({ mode, trigger, prefix, suffix, languageId, scopes });
  return {
    ...question,
    view: next,
    window,
    now: viewAt(buffer, next.offset),
    position: { ...position, prefix, suffix, documentLength: buffer.length },
    multiline,
    maxTokens: outputLimit(settings, request, multiline),
  };
}

/** Asked for the model's own text and nothing else: by command, without threshold and local model. */
function isPlain({ request, judgement, hasLocal }: ModelQuestion): boolean {
  return request.trigger === "invoked" && judgement.threshold === 0 && !hasLocal;
}

/**
 * What is left of the text that the model wrote last, shown or not, where all that was typed since
 * agrees with it; `null` otherwise. A text that its limit had cut serves for its first half only.
 */
function restOfWritten({ view, now, multiline }: ModelQuestion): ModelText | null {
  const { written } = view.history;
  if (written === null || written.multiline !== multiline) return null;
  const { text, finishReason, scores } = written;
  // A reply that is joined belongs to a key that says so; this one has to look.
  if (typedSince(written.askedAt, now, 0)?.between !== "") return null;
  const raw = continuation(written, now);
  if (raw === null || raw.trim() === "") return null;
  const start = text.length - raw.length;
  if (finishReason === "length" && raw.length < start) return null;
  const sureness = surenessOf(scores, { start, end: text.length });
  return { raw, finishReason, sureness, usage: noUsage, source: "cache" };
}

/** What is left of a reply at a later cursor of the same typing; `null` when it does not fit. */
function continuation(reply: Pick<ModelReply, "text" | "askedAt">, now: CursorView): string | null {
  const typedLength = now.beforeLength - reply.askedAt.beforeLength;
  const typed = now.before.slice(now.before.length - typedLength);
  if (typedLength === 0) return reply.text;
  return reply.text.startsWith(typed) ? reply.text.slice(typedLength) : null;
}
