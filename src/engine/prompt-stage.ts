/** Makes the request to the language model: windows that stay put, a budget, the family's prompt. */
import {
  answerKey,
  type BackendRequest,
  buildPrompt,
  freezePrefix,
  healingCut,
  nextWindow,
  type PromptBudget,
  promptBudget,
  promptTokenCounter,
  type Snippet,
  sentinelsToCut,
} from "../core/index.ts";
import type { DocumentView } from "./documents.ts";
import type { ModelQuestion } from "./model-question.ts";
import type { EngineSettings, LanguageModel } from "./settings.ts";

/** A request that is ready to be sent. */
export interface PreparedRequest {
  /** Everything that decides what a model says here; equal keys mean equal questions. */
  readonly key: string;
  readonly request: BackendRequest;
  /** What the answer must begin with, since it was cut from the prompt; `""` for nothing. */
  readonly forced: string;
  /** What ends the text on our side: control tokens of any family and the caller's stops. */
  readonly stops: readonly string[];
  /** For a person who wants to see what is sent. */
  readonly promptText: string;
  readonly snippets: readonly Snippet[];
}

/** Texts with more characters a token than this are not looked at. */
const MAX_UNITS_PER_TOKEN = 8;

/** How a prompt is made. */
export interface PromptOptions {
  /** End it at the border of a token and demand the rest. */
  readonly isHealed: boolean;
  /** The text before the cursor in one piece, as the caller sent it. */
  readonly isPlain: boolean;
  /** Nobody has asked yet, and perhaps nobody will. */
  readonly isAhead: boolean;
}

export class PromptStage {
  readonly #model: LanguageModel;
  readonly #settings: EngineSettings;

  constructor(model: LanguageModel, settings: EngineSettings) {
    this.#model = model;
    this.#settings = settings;
  }

  /** Budget: 1 ms p50, 3 ms p95. Throws `CONTEXT_TOO_SMALL`. */
  build(question: ModelQuestion, options: PromptOptions): PreparedRequest {
    const { view, request, multiline, maxTokens } = question;
    const { format, backend, id, repositoryName } = this.#model;
    const budget = this.#budget(maxTokens);
    const counter = promptTokenCounter(format, view.languageId);
    const window = nextWindow(view.history.promptWindow, {
      buffer: view.buffer,
      offset: view.offset,
      prefixTokens: budget.prefixTokens,
      suffixTokens: budget.suffixTokens,
      counter,
      keepsSuffix: format.fim === "client",
    });
    const mayFreeze = view.history.isKept && !options.isPlain;
    const isFrozen = mayFreeze && format.fim === "client" && format.order === "psm";
    const frozen = isFrozen ? freezePrefix(view.history.frozen, window, counter) : null;
    // A question asked ahead may never come true: the window stays where it is.
    if (!options.isAhead) {
      view.history.promptWindow = window;
      view.history.frozen = frozen;
    }
    const isHealed = options.isHealed && format.fim === "client";
    const cutLength = isHealed ? healingCut(window.prefix) : 0;
    const forced = window.prefix.slice(window.prefix.length - cutLength);
    const { prompt, stops, snippets } = buildPrompt({
      format,
      order: null,
      prefix: window.prefix,
      cutLength,
      typedLength: frozen === null ? 0 : window.prefix.length - frozen.prefix.length,
      suffix: window.suffix,
      repository: repositoryName === "" ? null : repositoryName,
      path: view.path,
      languageId: view.languageId,
      snippets: request.snippets,
      budget,
      counter,
      multiline,
      stops: request.stop,
      maxStops: backend.capabilities.maxStops,
      writesBos: false,
    });
    const prepared: BackendRequest = {
      model: id,
      prompt,
      // The model writes again what was cut.
      maxTokens: maxTokens + counter.count(forced),
      temperature: request.temperature,
      stop: stops,
      logProbabilities: backend.capabilities.logProbabilities,
      priority: request.trigger,
      // What the local model offers may turn out to be what the model writes. Asked ahead, its offers
      // are for another place.
      drafts: options.isAhead ? [] : question.offers.map(({ raw }) => forced + raw),
      ...(forced === "" || !backend.capabilities.forcedPrefix ? {} : { forcedPrefix: forced }),
    };
    return {
      key: answerKey(prepared, `${multiline ? "block" : "line"} ${forced}`),
      request: prepared,
      forced,
      stops: [...sentinelsToCut(format), ...request.stop],
      promptText: prompt.kind === "rendered" ? prompt.text : `${prompt.prefix}█${prompt.suffix}`,
      snippets: snippets.map(({ snippet, text }) => ({ ...snippet, text })),
    };
  }

  /**
   * The prompt of a document whose cursor is not known: repository, path and the text, as far as it
   * will be the same wherever the cursor is. `null` where nothing is: the text is longer than the
   * window, or the suffix comes first.
   */
  buildOpened(view: DocumentView): BackendRequest | null {
    const { format, backend, id, repositoryName } = this.#model;
    const budget = this.#budget(this.#settings.maxTokensSingleLine);
    const { buffer, languageId, path } = view;
    if (format.fim !== "client" || format.order !== "psm") return null;
    if (buffer.length > MAX_UNITS_PER_TOKEN * budget.prefixTokens) return null;
    const prefix = buffer.slice(0, buffer.length);
    const counter = promptTokenCounter(format, languageId);
    if (prefix === "" || counter.count(prefix) > budget.prefixTokens) return null;
    const { prompt } = buildPrompt({
      format,
      order: null,
      prefix,
      suffix: "",
      repository: repositoryName === "" ? null : repositoryName,
      path,
      languageId,
      snippets: [],
      budget,
      counter,
      multiline: false,
      stops: [],
      maxStops: backend.capabilities.maxStops,
      writesBos: false,
    });
    return { model: id, prompt, maxTokens: 1, temperature: 0, stop: [] };
  }

  #budget(outputTokens: number): PromptBudget {
    const { format, backend } = this.#model;
    const settings = this.#settings;
    const limits = [
      settings.contextTokens,
      format.contextTokens,
      backend.capabilities.contextTokens,
    ];
    const contextTokens = Math.min(...limits.filter((limit) => limit !== null));
    const budget = promptBudget({ contextTokens, outputTokens });
    return {
      ...budget,
      prefixTokens: Math.min(budget.prefixTokens, settings.prefixTokens),
      suffixTokens: Math.min(budget.suffixTokens, settings.suffixTokens),
    };
  }
}
