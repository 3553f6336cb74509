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
} from "../core/index.ts";
import { decide, decideNone } from "./decision.ts";
import type { DocumentHistory } from "./document-history.ts";
import type { ModelQuestion } from "./model-question.ts";
import { ModelSource, type ModelSourceOptions, type ModelText } from "./model-source.ts";
import { type KeptOffer, type Offer, offerOf } from "./offer.ts";
import type { PreparedRequest } from "./prompt-stage.ts";
import { type EngineReport, noUsage } from "./result.ts";

export class ModelStage {
  readonly #options: ModelSourceOptions;
  readonly #source: ModelSource;
  readonly #rules: CascadeRules;

  constructor(options: ModelSourceOptions) {
    this.#options = options;
    this.#source = new ModelSource(options);
    this.#rules = { ...cascadeRules, localChance: options.settings.localChance };
  }

  /** The document changed and the language model is not asked. */
  moved(history: DocumentHistory, now: CursorView): void {
    this.#source.moved(history, now);
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
    const kept = offers.filter((offer): offer is KeptOffer => offer.kind === "kept");
    const local = afterLocal(kept, true, this.#rules);
    if (local.kind === "answer") {
      this.#source.moved(view.history, now);
      return { decision: decide(offers, judgement), usage: noUsage, prompt: null, snippets: [] };
    }
    const ask = decideAsk({ ...question.position, forModel: true });
    if (!ask.ask) {
      this.#source.moved(view.history, now);
      const remark = `The language model is not asked here (rule "${ask.rule}").`;
      const decision = decide(offers, { ...judgement, reasonIfNone: ask.reason, remark });
      return { decision, usage: noUsage, prompt: null, snippets: [] };
    }
    const prepared = this.#source.prepare(question);
    try {
      const text = await this.#source.text(question, prepared, options);
      return this.#judge(question, prepared, text);
    } catch (error) {
      if (isAbort(error, options.signal) || !isBackendFailure(error)) throw error;
      if (!question.hasLocal) throw error;
      const remark = `The language model failed: ${error.message}.`;
      const reasonIfNone = error.code === "BACKEND_TIMEOUT" ? "deadline" : "no-model";
      const decision = decide(offers, { ...judgement, reasonIfNone, remark });
      return { decision, usage: noUsage, ...sentOf(prepared) };
    }
  }

  #judge(question: ModelQuestion, prepared: PreparedRequest, text: ModelText | null): EngineReport {
    const sent = sentOf(prepared);
    if (text === null) {
      const decision = decideNone("superseded", "A newer request of this document took its place.");
      return { decision, usage: noUsage, ...sent };
    }
    const { offers, judgement, window, multiline, scopes, trace } = question;
    const { raw, finishReason, source, usage } = text;
    const model = this.#options.model.id;
    const { stops } = prepared;
    const offer = trace.time("post", () =>
      offerOf(
        { raw, chance: null, source, model, finishReason },
        { window, multiline, stops, scopes, origin: "model" },
      ),
    );
    const decision = decide(inOrder(offer, offers, this.#rules), judgement);
    if (decision.shown !== null) this.#source.askAhead(question, decision.shown.edit);
    return { decision, usage, ...sent };
  }
}

function sentOf(prepared: PreparedRequest): Pick<EngineReport, "prompt" | "snippets"> {
  return { prompt: prepared.promptText, snippets: prepared.snippets };
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
