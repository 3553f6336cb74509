/**
 * The language model behind the local one: whether it is asked, and what its text is worth.
 * A failure of the model is an answer of the local model where that is on, and an error where not.
 */
import { isAbort } from "../base/signal.ts";
import {
  afterLocal,
  afterModel,
  type CascadeRules,
  CompletionError,
  type CursorView,
  cascadeRules,
  decideAsk,
  type Log,
  modelChance,
  type Snippet,
  type SyntaxJudge,
  triggerScore,
} from "../core/index.ts";
import { hasPlaceholder } from "../repo/index.ts";
import { BackendHealth, type ModelHealth } from "./backend-health.ts";
import type { ContextQuestion } from "./context-stage.ts";
import { decide, decideNone, isShown, withFailure } from "./decision.ts";
import type { DocumentHistory } from "./document-history.ts";
import type { DocumentView } from "./documents.ts";
import type { ModelQuestion } from "./model-question.ts";
import { ModelSource, type ModelSourceOptions, type ModelText } from "./model-source.ts";
import type { ModelUse } from "./model-use.ts";
import { type KeptOffer, type Offer, offerOf } from "./offer.ts";
import type { PreparedRequest } from "./prompt-stage.ts";
import { type EngineReport, noUsage, reportOf } from "./result.ts";

export class ModelStage {
  readonly #options: ModelSourceOptions;
  readonly #source: ModelSource;
  readonly #health: BackendHealth;
  readonly #rules: CascadeRules;

  constructor(options: ModelSourceOptions & { readonly log: Log | null }) {
    this.#options = options;
    this.#source = new ModelSource(options);
    this.#health = new BackendHealth(options);
    this.#rules = { ...cascadeRules, localChance: options.settings.localChance };
  }

  /** The document changed and the language model is not asked. */
  moved(history: DocumentHistory, now: CursorView): void {
    this.#source.moved(history, now);
  }

  /** A key was pressed, whatever comes of it. */
  keyPressed(): void {
    this.#source.use.keyPressed();
  }

  /** How often the language model was asked so far. */
  get use(): ModelUse {
    return this.#source.use.counts;
  }

  /** See `BackendHealth.state`. */
  get health(): ModelHealth {
    return this.#health.state;
  }

  /** See `BackendHealth.failure`. */
  get failure(): CompletionError | null {
    return this.#health.failure;
  }

  /** Aborts what runs. */
  close(): void {
    this.#source.close();
  }

  /** Answers with the better of the local offers and the model's text. */
  async answer(
    question: ModelQuestion,
    options: { readonly signal: AbortSignal },
  ): Promise<EngineReport> {
    const { view, offers, judgement, now } = question;
    if (afterLocal(keptWholes(offers), this.#rules) !== null) {
      this.#source.moved(view.history, now);
      this.#warmUp(question);
      return reportOf(decide(offers, judgement));
    }
    const ask = decideAsk({ ...question.position, forModel: true });
    if (!ask.ask) {
      this.#source.moved(view.history, now);
      this.#warmUp(question);
      const remark = `The language model is not asked here (rule "${ask.rule}").`;
      return reportOf(decide(offers, { ...judgement, reasonIfNone: ask.reason, remark }));
    }
    if (!this.#isAdmitted(question)) {
      this.#source.moved(view.history, now);
      const remark = "The language model kept failing and is left alone for a moment.";
      return reportOf(decide(offers, { ...judgement, reasonIfNone: "no-model", remark }));
    }
    let prepared: PreparedRequest | null = null;
    try {
      const informed = { ...question, found: await this.#find(question, options) };
      prepared = this.#source.prepare(informed);
      const text = await this.#source.text(informed, prepared, options);
      // A text out of the cache, or none since a newer request came, says nothing of the backend.
      if (text?.source === "model") this.#health.succeeded();
      return this.#judge(informed, prepared, text);
    } catch (error) {
      if (isAbort(error, options.signal) || !isModelFailure(error)) throw error;
      this.#health.failed(error);
      if (!question.hasLocal) throw error;
      const remark = `The language model failed: ${error.message}.`;
      const reason = error.code === "BACKEND_TIMEOUT" ? "deadline" : "no-model";
      const decision = withFailure(decide(offers, { ...judgement, remark }), reason);
      return prepared === null
        ? reportOf(decision)
        : { decision, usage: noUsage, ...sentOf(prepared) };
    }
  }

  /** A document was opened, which nobody has asked about. */
  opened(view: DocumentView): void {
    if (this.health === "ready" && this.#isFollowed(view)) this.#source.opened(view);
  }

  async #find(
    question: ModelQuestion,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Snippet[] | null> {
    const { context } = this.#options;
    const place = contextQuestion(question);
    const followingTokens = this.#source.followingTokens(question);
    return context.stays(place, followingTokens) ? null : await context.find(place, options);
  }

  #warmUp(question: ModelQuestion): void {
    if (this.health !== "ready") return;
    this.#source.warmUp({
      ...question,
      found: this.#options.context.glance(contextQuestion(question)),
    });
  }

  #isFollowed({ languageId }: DocumentView): boolean {
    return !this.#options.settings.disabledLanguages.has(languageId);
  }

  /** Without another model to answer, and for a person who invokes, it is always worth a try. */
  #isAdmitted({ request, hasLocal }: ModelQuestion): boolean {
    if (!hasLocal || request.trigger === "invoked") return true;
    return this.#health.admits();
  }

  #judge(question: ModelQuestion, prepared: PreparedRequest, text: ModelText | null): EngineReport {
    const sent = sentOf(prepared);
    if (text === null) {
      const decision = decideNone("superseded", "A newer request of this document took its place.");
      return { decision, usage: noUsage, ...sent };
    }
    const { offers, judgement, window, multiline, scopes, syntax, trace } = question;
    const { raw, finishReason, source, usage } = text;
    const model = this.#options.model.id;
    const { stops } = prepared;
    const ratedBy = (judge: SyntaxJudge | null): Offer => {
      const cleaned = offerOf(
        { raw, chance: null, source, model, finishReason, extent: "whole" },
        { window, multiline, stops, scopes, syntax: judge, origin: "model" },
      );
      const offer = prepared.hasPlaceholders ? withoutPlaceholder(cleaned) : cleaned;
      return offer.kind === "kept" ? { ...offer, chance: chanceOf(question, text, offer) } : offer;
    };
    const rated = trace.time("post", () => {
      const offer = ratedBy(null);
      // A parse costs more than all other filters: only what would reach the screen is judged.
      const isJudged = syntax !== null && offer.kind === "kept" && isShown(offer, judgement);
      return isJudged ? ratedBy(syntax) : offer;
    });
    const decided = decide(inOrder(rated, offers, this.#rules), judgement);
    const isLate = source === "model" && finishReason === "timeout";
    const decision = isLate ? withFailure(decided, "deadline") : decided;
    if (decision.shown !== null) this.#source.askAhead(question, decision.shown.edit);
    return { decision, usage, ...sent };
  }
}

function contextQuestion(question: ModelQuestion): ContextQuestion {
  const { view, request, position, scopes, trace } = question;
  return { view, sent: request.snippets, prefix: position.prefix, scopes, trace };
}

function sentOf(prepared: PreparedRequest): Pick<EngineReport, "prompt" | "snippets"> {
  return { prompt: prepared.promptText, snippets: prepared.snippets };
}

/** A text that repeats what stands in place of a secret is of no use to anybody. */
function withoutPlaceholder(offer: Offer): Offer {
  if (offer.kind !== "kept" || !hasPlaceholder(offer.edit.text)) return offer;
  const { edit: _, ...text } = offer;
  return { ...text, kind: "rejected", reason: "secret", filter: "placeholder" };
}

/** The calibrated chance of the model's text; `null` where nothing is known of the model. */
function chanceOf(question: ModelQuestion, text: ModelText, offer: KeptOffer): number | null {
  const { offers, window, multiline, position, view } = question;
  return modelChance({
    model: offer.model,
    text: offer.edit.text,
    prefix: window.prefix,
    suffix: window.suffix,
    multiline,
    triggerScore: triggerScore({ ...position, offset: view.offset, lastOutcome: null }),
    local: keptWholes(offers).map(({ edit, chance }) => ({ text: edit.text, chance })),
    sureness: text.sureness,
  });
}

/**
 * The model's offer among the local ones, the better by chance first. Parts come last: the chance of
 * a few characters says nothing against that of a whole line.
 */
function inOrder(offer: Offer, local: readonly Offer[], rules: CascadeRules): readonly Offer[] {
  const model = offer.kind === "kept" ? offer : null;
  const best = afterModel({ local: keptWholes(local), model, shown: null }, rules);
  const wholes = local.filter(({ extent }) => extent === "whole");
  const parts = local.filter(({ extent }) => extent === "part");
  return best === null || best === model
    ? [offer, ...wholes, ...parts]
    : [...wholes, offer, ...parts];
}

function keptWholes(offers: readonly Offer[]): readonly KeptOffer[] {
  return offers.filter(
    (offer): offer is KeptOffer => offer.kind === "kept" && offer.extent === "whole",
  );
}

/** A failure in whose place the local model may answer: of the backend, or no room for a prompt. */
function isModelFailure(error: unknown): error is CompletionError {
  if (!(error instanceof CompletionError)) return false;
  return error.code.startsWith("BACKEND_") || error.code === "CONTEXT_TOO_SMALL";
}
