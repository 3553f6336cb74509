/** Makes the request to the language model: windows that stay put, a budget, the family's prompt. */
import {
  answerKey,
  type BackendRequest,
  balancedGrammar,
  buildPrompt,
  type Clock,
  CompletionError,
  freezePrefix,
  healingCut,
  nextWindow,
  type PromptBudget,
  promptBudget,
  type Snippet,
  sentinelsToCut,
} from "../core/index.ts";
import { SECRET_PLACEHOLDER } from "../repo/index.ts";
import type { ContextStage } from "./context-stage.ts";
import type { DocumentView } from "./documents.ts";
import { ExactCounts } from "./exact-counts.ts";
import type { ModelQuestion } from "./model-question.ts";
import { RedactedWindows } from "./redacted-window.ts";
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
  /** Placeholders of secrets stand in the prompt: a text that repeats one is not shown. */
  readonly hasPlaceholders: boolean;
}

/** Windows that do not fit are made smaller, down to a fifth. */
const SMALLER = 0.75;
const LEAST_SHARE = 0.2;
/** A unit of text is no more tokens than it has bytes. */
const MAX_TOKENS_PER_UNIT = 3;
/** A window that is shorter than this share of its limit, and some, may be made anew. */
const SHORT = 0.3;
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
  readonly #counts: ExactCounts;
  readonly #context: ContextStage;
  readonly #windows = new RedactedWindows();

  constructor(parts: {
    readonly model: LanguageModel;
    readonly settings: EngineSettings;
    readonly clock: Clock;
    readonly context: ContextStage;
  }) {
    const { model, settings, clock, context } = parts;
    this.#model = model;
    this.#settings = settings;
    this.#counts = new ExactCounts(model, clock);
    this.#context = context;
  }

  /** Stops counting. */
  close(): void {
    this.#counts.close();
  }

  /**
   * Tokens that will stand behind the snippets of the next prompt at least; `null` where the window may
   * move, so that all of it is evaluated anyway. Cost: O(1), for each key press.
   */
  followingTokens({ history, offset }: DocumentView, maxTokens: number): number | null {
    const window = history.promptWindow;
    if (window === null) return null;
    const { prefixTokens } = this.#budget(maxTokens);
    const movedUnits = Math.abs(offset - window.start - window.prefix.length);
    const most = window.prefixTokens + MAX_TOKENS_PER_UNIT * movedUnits;
    const least = window.prefixTokens - MAX_TOKENS_PER_UNIT * movedUnits;
    const isSure = most <= prefixTokens && (window.start === 0 || least > SHORT * prefixTokens);
    return isSure ? Math.max(0, least) : null;
  }

  /** Budget: 1 ms p50, 3 ms p95. Throws `CONTEXT_TOO_SMALL`. */
  build(question: ModelQuestion, options: PromptOptions): PreparedRequest {
    for (let share = 1; ; share *= SMALLER) {
      try {
        return this.#build(question, options, share);
      } catch (error) {
        // Counts get exact piece by piece, so the parts of a window may count for more than the whole.
        const isTooLong = error instanceof CompletionError && error.code === "CONTEXT_TOO_SMALL";
        if (!isTooLong || share < LEAST_SHARE) throw error;
      }
    }
  }

  #build(question: ModelQuestion, options: PromptOptions, share: number): PreparedRequest {
    const { view, request, multiline, maxTokens } = question;
    const { format, backend, id, repositoryName } = this.#model;
    const whole = this.#budget(maxTokens);
    const budget = {
      ...whole,
      prefixTokens: Math.floor(share * whole.prefixTokens),
      suffixTokens: Math.floor(share * whole.suffixTokens),
    };
    const counter = this.#counts.counter(view.languageId);
    const before = view.history.promptWindow;
    const window = nextWindow(before, {
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
    const prefix = this.#windows.redact(window.prefix);
    const suffix = this.#windows.redact(window.suffix);
    const chosen = options.isAhead
      ? (view.history.settled?.snippets ?? [])
      : this.#context.settle(view, question.found, { before, window, counter });
    const cutLength = isHealed ? healingCut(prefix) : 0;
    const forced = prefix.slice(prefix.length - cutLength);
    const { prompt, stops, snippets } = this.#counts.learnFrom(() =>
      buildPrompt({
        format,
        order: null,
        prefix,
        cutLength,
        typedLength: frozen === null ? 0 : window.prefix.length - frozen.prefix.length,
        suffix,
        repository: repositoryName === "" ? null : repositoryName,
        path: view.path,
        languageId: view.languageId,
        snippets: chosen,
        budget,
        counter,
        multiline,
        stops: request.stop,
        maxStops: backend.capabilities.maxStops,
        writesBos: false,
      }),
    );
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
      ...this.#grammar(question, forced),
    };
    const promptText =
      prompt.kind === "rendered" ? prompt.text : `${prompt.prefix}█${prompt.suffix}`;
    return {
      key: answerKey(prepared, `${multiline ? "block" : "line"} ${forced}`),
      request: prepared,
      forced,
      stops: [...sentinelsToCut(format), ...request.stop],
      promptText,
      hasPlaceholders: promptText.includes(SECRET_PLACEHOLDER),
      snippets: snippets.map(({ snippet, text }) => ({ ...snippet, text })),
    };
  }

  /** Brackets that match, where that is wanted and can be had; code only. */
  #grammar({ scopes, window, view }: ModelQuestion, forced: string): { readonly grammar?: string } {
    const { backend } = this.#model;
    if (!this.#settings.isBalanced || !backend.capabilities.grammar) return {};
    const { region, openBrackets } = scopes.at(window.prefix, view.languageId);
    return region === "code" ? { grammar: balancedGrammar(forced, openBrackets) } : {};
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
    const prefix = this.#windows.redact(buffer.slice(0, buffer.length));
    const counter = this.#counts.counter(languageId);
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
