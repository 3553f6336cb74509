/**
 * The language model behind the local one: whether it is asked, when, and what its text is worth.
 * A failure of the model is an answer of the local model where that is on, and an error where not.
 */
import { isAbort } from "../base/signal.ts";
import {
  AnswerCache,
  afterAnswer,
  afterLocal,
  afterModel,
  answerKey,
  type CascadeRules,
  type Clock,
  CompletionError,
  type CursorView,
  cascadeRules,
  createStreamCutter,
  decideAsk,
  type FinishReason,
  triggerScore,
  type Usage,
  waitMs,
} from "../core/index.ts";
import { decide, decideNone } from "./decision.ts";
import type { DocumentHistory } from "./document-history.ts";
import { HealedCutter } from "./healed-cutter.ts";
import { ModelCalls, type ModelReply } from "./model-calls.ts";
import type { ModelQuestion } from "./model-question.ts";
import { type KeptOffer, type Offer, offerOf } from "./offer.ts";
import { type PreparedRequest, PromptStage } from "./prompt-stage.ts";
import { type EngineReport, noUsage } from "./result.ts";
import type { EngineSettings, LanguageModel } from "./settings.ts";

/** Requests to a backend at a time; more wait for their turn. */
const MAX_RUNS = 64;

export interface ModelStageOptions {
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly settings: EngineSettings;
}

/** A model's text and where its tokens went. */
interface ModelText {
  readonly raw: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly source: "model" | "cache";
}

export class ModelStage {
  readonly #options: ModelStageOptions;
  readonly #calls: ModelCalls;
  readonly #prompts: PromptStage;
  readonly #cache = new AnswerCache();

  constructor(options: ModelStageOptions) {
    const { model, clock, settings } = options;
    this.#options = options;
    this.#calls = new ModelCalls(model.backend, clock, { policy: "join", maxRuns: MAX_RUNS });
    this.#prompts = new PromptStage(model, settings);
  }

  /** The document changed and the language model is not asked. */
  moved(history: DocumentHistory, now: CursorView): void {
    this.#calls.moved(history.id, now);
  }

  /** Aborts what runs. */
  close(): void {
    this.#calls.close();
  }

  /** Answers with the better of the local offers and the model's text. */
  async answer(
    question: ModelQuestion,
    options: { readonly signal: AbortSignal },
  ): Promise<EngineReport> {
    const { request, view, offers, judgement, trace, now } = question;
    const { history } = view;
    const kept = offers.filter((offer): offer is KeptOffer => offer.kind === "kept");
    const rules = { ...cascadeRules, localChance: this.#options.settings.localChance };
    const local = afterLocal(kept, true, rules);
    if (local.kind === "answer") {
      this.#calls.moved(history.id, now);
      return { decision: decide(offers, judgement), usage: noUsage, prompt: null, snippets: [] };
    }
    const ask = decideAsk({ ...question.position, forModel: true });
    if (!ask.ask) {
      this.#calls.moved(history.id, now);
      const remark = `The language model is not asked here (rule "${ask.rule}").`;
      const decision = decide(offers, { ...judgement, reasonIfNone: ask.reason, remark });
      return { decision, usage: noUsage, prompt: null, snippets: [] };
    }
    // Joining costs nothing, so there is nothing to wait for.
    const mustWait = request.trigger === "automatic" && !this.#calls.mayJoin(history.id, now);
    if (mustWait) this.#calls.moved(history.id, now);
    if (mustWait && !(await this.#wait(question, options.signal))) {
      const decision = decideNone("superseded", "A newer request of this document took its place.");
      return { decision, usage: noUsage, prompt: null, snippets: [] };
    }
    const isHealed = this.#options.settings.isHealed && !isPlain(question);
    const built = trace.time("prompt", () => this.#prompts.build(question, { isHealed }));
    const sent = { prompt: built.promptText, snippets: built.snippets };
    let text: ModelText | null;
    try {
      text = await this.#ask(question, built, options.signal);
    } catch (error) {
      if (isAbort(error, options.signal) || !isBackendFailure(error)) throw error;
      if (!question.hasLocal) throw error;
      const isLate = error.code === "BACKEND_TIMEOUT";
      const remark = `The language model failed: ${error.message}.`;
      const reasonIfNone = isLate ? ("deadline" as const) : ("no-model" as const);
      const decision = decide(offers, { ...judgement, reasonIfNone, remark });
      return { decision, usage: noUsage, ...sent };
    }
    if (text === null) {
      const decision = decideNone("superseded", "A newer request of this document took its place.");
      return { decision, usage: noUsage, ...sent };
    }
    const { raw, finishReason, source, usage } = text;
    const offer = trace.time("post", () =>
      offerOf(
        { raw, chance: null, source, model: this.#options.model.id, finishReason },
        {
          window: question.window,
          multiline: question.multiline,
          stops: built.stops,
          scopes: question.scopes,
          origin: "model",
        },
      ),
    );
    return { decision: decide(inOrder(offer, offers, rules), judgement), usage, ...sent };
  }

  /** Waits as long as the trigger score says; false when a newer request came meanwhile. */
  async #wait(question: ModelQuestion, signal: AbortSignal): Promise<boolean> {
    const { view, window, trace } = question;
    const { history } = view;
    const { clock } = this.#options;
    const score = triggerScore({
      prefix: window.prefix,
      suffix: window.suffix,
      languageId: view.languageId,
      documentLength: view.buffer.length,
      offset: view.offset,
      lastOutcome: null,
    });
    const startedAt = clock.now();
    const isStillNewest = await new Promise<boolean>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        stopTimer();
        signal.removeEventListener("abort", abort);
        history.stopWaiting = null;
        settle();
      };
      const abort = (): void => finish(() => reject(signal.reason));
      const stopTimer = clock.after(waitMs(score, history.rhythm), () =>
        finish(() => resolve(true)),
      );
      history.stopWaiting = () => finish(() => resolve(false));
      signal.addEventListener("abort", abort, { once: true });
    });
    trace.add("queue", clock.now() - startedAt);
    return isStillNewest;
  }

  /** The model's text from the cache or the model; `null` when a newer request took its place. */
  async #ask(
    question: ModelQuestion,
    prepared: PreparedRequest,
    signal: AbortSignal,
  ): Promise<ModelText | null> {
    const { request, stops, forced } = prepared;
    const { now, view, window, multiline, trace } = question;
    const key = answerKey(request, `${multiline ? "block" : "line"} ${forced}`);
    // A sampled answer is not the only one, and a person who invokes wants a fresh one.
    const mayReuse = request.temperature === 0 && question.request.trigger === "automatic";
    const cached = mayReuse ? this.#cache.get(key) : null;
    if (cached !== null) {
      this.#calls.moved(view.history.id, now);
      const { text: raw, finishReason } = cached;
      return { raw, finishReason, usage: noUsage, source: "cache" };
    }
    const answer = await this.#calls.ask(
      {
        question: { id: question.id, document: view.history.id, key, view: now },
        request,
        createCutter: () =>
          new HealedCutter(
            forced,
            createStreamCutter({
              stops,
              multiline,
              prefix: window.prefix,
              suffix: window.suffix,
              languageId: view.languageId,
              scopes: question.scopes,
            }),
          ),
        timeoutMs: this.#options.settings.timeoutMs,
      },
      { signal },
    );
    if (answer.kind === "superseded") return null;
    const { reply } = answer;
    trace.add("ttft", reply.ttftMs);
    trace.add("decode", reply.decodeMs);
    view.history.rhythm = afterAnswer(view.history.rhythm, reply.ttftMs + reply.decodeMs);
    if (reply.isMissed) {
      // The model would have written something else there: ask with the whole text before the cursor.
      const whole = trace.time("prompt", () => this.#prompts.build(question, { isHealed: false }));
      return this.#ask({ ...question, id: `${question.id}+` }, whole, signal);
    }
    const raw = continuation(reply, now);
    if (raw === null) return null;
    if (request.temperature === 0 && !reply.isJoined) {
      this.#cache.put(key, { text: reply.text, finishReason: reply.finishReason });
    }
    const usage = reply.isJoined ? noUsage : reply.usage;
    return { raw, finishReason: reply.finishReason, usage, source: "model" };
  }
}

/** Asked for the model's own text and nothing else: by command, without threshold and local model. */
function isPlain({ request, judgement, hasLocal }: ModelQuestion): boolean {
  return request.trigger === "invoked" && judgement.threshold === 0 && !hasLocal;
}

/** What is left of a reply at a later cursor of the same typing; `null` when it does not fit. */
function continuation(reply: ModelReply, now: CursorView): string | null {
  const typedLength = now.beforeLength - reply.askedAt.beforeLength;
  const typed = now.before.slice(now.before.length - typedLength);
  if (typedLength === 0) return reply.text;
  return reply.text.startsWith(typed) ? reply.text.slice(typedLength) : null;
}

/** The model's offer among the local ones, the better by chance first. */
function inOrder(offer: Offer, local: readonly Offer[], rules: CascadeRules): readonly Offer[] {
  const kept = local.filter((candidate): candidate is KeptOffer => candidate.kind === "kept");
  const model = offer.kind === "kept" ? offer : null;
  const best = afterModel({ local: kept, model, shown: null }, rules);
  return best === null || best === model ? [offer, ...local] : [...local, offer];
}

function isBackendFailure(error: unknown): error is CompletionError {
  return error instanceof CompletionError && error.code.startsWith("BACKEND_");
}
