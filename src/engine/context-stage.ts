/**
 * Context for a question to the language model: whether it is looked for, how long it may take, what of
 * it stays from one key press to the next, and that no secret leaves the process with it.
 */
import { isWordCode } from "../base/text.ts";
import type {
  Clock,
  ContextFinding,
  ContextSource,
  PromptWindow,
  ScopeProbe,
  Snippet,
  TokenCounter,
} from "../core/index.ts";
import { mayChange, redactSecrets, settle } from "../repo/index.ts";
import type { DocumentView } from "./documents.ts";
import type { Trace } from "./trace.ts";

/** What a look for context depends on. */
export interface ContextQuestion {
  readonly view: DocumentView;
  /** What the caller sent along. */
  readonly sent: readonly Snippet[];
  /** Text before the cursor, for the gate. */
  readonly prefix: string;
  readonly scopes: ScopeProbe;
  readonly trace: Trace;
}

/** About thirty lines: another place of the document needs other snippets. */
const FAR_UNITS = 1_000;
/** The beginning of a window by which it is recognised. */
const SAME_START_UNITS = 64;

export class ContextStage {
  readonly #source: ContextSource | null;
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #isExcluded: (path: string) => boolean;
  /** Snippets without secrets, by the snippets as they were found: a prompt knows them by identity. */
  readonly #redacted = new WeakMap<Snippet, Snippet>();

  /** Without a source, what callers send is all there is. */
  constructor(options: {
    readonly source: ContextSource | null;
    readonly clock: Clock;
    readonly deadlineMs: number;
    /** True for a path of which nothing may be shown. */
    readonly isExcluded: (path: string) => boolean;
  }) {
    this.#source = options.source;
    this.#clock = options.clock;
    this.#deadlineMs = options.deadlineMs;
    this.#isExcluded = options.isExcluded;
  }

  /** A document is open, or has changed. */
  see({ path, languageId, buffer }: Pick<DocumentView, "path" | "languageId" | "buffer">): void {
    if (path !== null) this.#source?.see({ path, languageId, buffer });
  }

  /** A document was closed. */
  forget(path: string): void {
    this.#source?.forget(path);
  }

  /**
   * What helps here; `null` where nothing is looked for. What has arrived at the deadline is used, the
   * rest serves the next request.
   */
  async find(
    question: ContextQuestion,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Snippet[] | null> {
    const finding = this.#look(question);
    if (finding === null || finding.late === null) return finding?.snippets ?? null;
    await this.#within(this.#deadlineMs, finding.late);
    options.signal.throwIfAborted();
    return this.#look(question)?.snippets ?? null;
  }

  /**
   * True where the snippets of the prompt stay whatever is found: within a word, and as long as a change
   * is not earned. `followingTokens` stand behind them at least; `null` where the window may move.
   */
  stays(
    { view, prefix }: Pick<ContextQuestion, "view" | "prefix">,
    followingTokens: number | null,
  ): boolean {
    const { settled, settledOffset } = view.history;
    if (this.#source === null || settled === null) return false;
    if (isInWord(prefix)) return true;
    const isNear = Math.abs(view.offset - settledOffset) <= FAR_UNITS;
    return isNear && followingTokens !== null && !mayChange(settled, followingTokens);
  }

  /** What is known at once where the prompt has no snippets yet; `null` where what is there stays. */
  glance(question: ContextQuestion): readonly Snippet[] | null {
    const isFirst = question.view.history.settled === null;
    return isFirst || this.#source === null ? (this.#look(question)?.snippets ?? null) : null;
  }

  #look({ view, sent, prefix, scopes, trace }: ContextQuestion): ContextFinding | null {
    const source = this.#source;
    if (source === null) {
      // Nobody has said that copied text may be shown.
      const allowed = sent.filter(({ path, kind }) => kind !== "copied" && this.#mayShow(path));
      return { snippets: this.#clean(allowed), late: null };
    }
    // Prose is written without knowledge of other files.
    if (scopes.at(prefix, view.languageId).region === "comment") return null;
    const { path, languageId, buffer, offset } = view;
    const found = trace.time("context", () =>
      source.find({ path, languageId, buffer, offset, sent }),
    );
    return { snippets: this.#clean(found.snippets), late: found.late };
  }

  #clean(snippets: readonly Snippet[]): readonly Snippet[] {
    return snippets.map((snippet) => this.#withoutSecrets(snippet));
  }

  /** The snippets of this prompt: what was chosen before, unless a change is worth its price. */
  settle(
    view: DocumentView,
    found: readonly Snippet[] | null,
    place: {
      readonly before: PromptWindow | null;
      readonly window: PromptWindow;
      readonly counter: TokenCounter;
    },
  ): readonly Snippet[] {
    const { history } = view;
    if (history.settledView === view && history.settled !== null) return history.settled.snippets;
    if (this.#source === null) {
      // The caller knows what it sends.
      history.settled = { snippets: found ?? [], earnedTokens: 0 };
      return history.settled.snippets;
    }
    // Nothing was looked for yet: the first look is still to come.
    if (history.settled === null && found === null) return [];
    const { before, window, counter } = place;
    const allowed =
      history.settled === null
        ? null
        : {
            ...history.settled,
            snippets: history.settled.snippets.filter(({ path }) => this.#mayShow(path)),
          };
    history.settled = settle(allowed, found, {
      isInWord: isInWord(window.prefix),
      isMoved:
        before === null ||
        !window.prefix.startsWith(
          before.prefix.slice(0, Math.min(SAME_START_UNITS, window.prefix.length)),
        ),
      isFar: Math.abs(view.offset - history.settledOffset) > FAR_UNITS,
      followingTokens: window.prefixTokens + window.suffixTokens,
      counter,
    });
    if (history.settled.snippets !== allowed?.snippets) history.settledOffset = view.offset;
    history.settledView = view;
    return history.settled.snippets;
  }

  #mayShow(path: string): boolean {
    return !this.#isExcluded(path) && (this.#source === null || this.#source.mayShow(path));
  }

  #withoutSecrets(snippet: Snippet): Snippet {
    const known = this.#redacted.get(snippet);
    if (known !== undefined) return known;
    const text = redactSecrets(snippet.text);
    const clean = text === snippet.text ? snippet : { ...snippet, text };
    this.#redacted.set(snippet, clean);
    return clean;
  }

  #within(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      // Never rejects, see the port.
      void work.then(() => {
        cancel();
        resolve();
      });
    });
  }
}

/** True inside or at the end of a word that is being typed. */
function isInWord(prefix: string): boolean {
  return isWordCode(prefix.charCodeAt(prefix.length - 1));
}
