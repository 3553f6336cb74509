/**
 * What the pure layers need from outside, as interfaces. `host`, `backend` and `testing` implement
 * them; `cli` puts them together.
 */
import type { Dispose } from "../base/event.ts";
import type { TextBuffer } from "../base/text-buffer.ts";
import type { FimPrompt } from "./prompt/prompt.ts";
import type { CursorEdit, FinishReason, Snippet, TriggerKind, Usage } from "./types.ts";

/** Time. The only source of it below `backend`. */
export interface Clock {
  /** Monotonic milliseconds with a fraction; the zero point means nothing. */
  now(): number;
  /** Calls `callback` once after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): Dispose;
}

/** One line of structured log. Never source text, prompts or completions. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Fields of a log line: sizes, hashes, durations, reasons. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** What a backend can do. Declared once, not discovered by failure. */
export interface BackendCapabilities {
  /** `client`: we render the prompt with the model's sentinels. `server`: it takes prefix and suffix. */
  readonly fim: "client" | "server";
  /** Log-probabilities of the generated tokens arrive with the text. */
  readonly logProbabilities: boolean;
  /** The number of prompt tokens taken from the KV cache is reported. */
  readonly cachedTokens: boolean;
  /** Prompt and output together; `null` when the server does not say. */
  readonly contextTokens: number | null;
  /** At most this many stop strings are accepted; `null` for no limit. */
  readonly maxStops: number | null;
  /** `forcedPrefix` of a request is obeyed. */
  readonly forcedPrefix: boolean;
  /** `grammar` of a request is obeyed. */
  readonly grammar: boolean;
  /** `priority` of a request is obeyed. */
  readonly priority: boolean;
  /** The server keeps the KV cache of one team apart from the others'. */
  readonly cacheSalt: boolean;
  /** `Backend.countTokens` is there: the server counts with the model's own tokenizer. */
  readonly tokenize: boolean;
}

/**
 * What a person waits for goes first; what is only asked ahead goes last. `warm-up` fills the cache of
 * the questions that people wait for, which matters where they have one of their own.
 */
export type RequestPriority = TriggerKind | "prefetch" | "warm-up";

/** One request to a model. Complete: a backend fills in nothing. */
export interface BackendRequest {
  readonly model: string;
  readonly prompt: FimPrompt;
  readonly maxTokens: number;
  readonly temperature: number;
  /** Sentinels of the family and the caller's stops; the text of a stop is not returned. */
  readonly stop: readonly string[];
  /**
   * The text begins with this, for token healing; after blanks alone it ends or goes on with something
   * else than blanks and line ends. Needs the capability; absent: begins freely.
   */
  readonly forcedPrefix?: string;
  /** GBNF grammar of the whole text, in place of `forcedPrefix`. Needs the capability. */
  readonly grammar?: string;
  /** Asks for log-probabilities; without the capability they stay away. Absent: not asked for. */
  readonly logProbabilities?: boolean;
  /** Absent: `automatic`. */
  readonly priority?: RequestPriority;
  /**
   * Texts that the whole answer may begin with, the likeliest first. A backend that can checks them
   * many tokens at a time; the answer is the same without them. Absent: none are known.
   */
  readonly drafts?: readonly string[];
}

/** What arrives while a model generates: text pieces, then exactly one `done`. */
export type BackendEvent =
  | { readonly kind: "text"; readonly text: string; readonly logProbability?: number }
  | { readonly kind: "done"; readonly finishReason: FinishReason; readonly usage: Usage };

/** A server or library that generates text. One adapter each. */
export interface Backend {
  /** Its kind, such as `openai`; a label for metrics. */
  readonly kind: string;
  /** Where it is, for messages: `http://127.0.0.1:8080`; credentials left out. */
  readonly address: string;
  readonly capabilities: BackendCapabilities;
  /**
   * Streams one completion. Throws `CompletionError` for expected failures. Aborting `signal`, or
   * leaving the loop early, closes the connection so that the server stops generating.
   */
  complete(
    request: BackendRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<BackendEvent>;
  /** Ids of the models that it serves; throws as `complete` does. */
  listModels(options: { readonly signal: AbortSignal }): Promise<readonly string[]>;
  /** Tokens of plain text by the model's tokenizer; there with the capability `tokenize`. */
  countTokens?(text: string, options: { readonly signal: AbortSignal }): Promise<number>;
}

/** A minimal HTTP client for backends; `host` implements it with a connection pool. */
export interface HttpClient {
  /** Resolves when the response head is there. Rejects with `CompletionError`, or the abort reason. */
  send(request: HttpRequest, options: { readonly signal: AbortSignal }): Promise<HttpResponse>;
}

/** What a backend sends. Redirects are not followed. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; absent for GET. */
  readonly body?: string;
}

/** The head of an answer, and its body as it comes. Any status is an answer. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw bytes as they arrive. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Where in the language the cursor stands, as far as the implementation can tell. */
export type CursorRegion = "code" | "comment" | "string";

/** A bracket that is open at the cursor. */
export interface OpenBracket {
  /** `(`, `[`, `{` or a template-literal hole `${`. */
  readonly open: string;
  /** The character that closes it. */
  readonly close: string;
  /** Indentation width (tab = to the next multiple of 8) of the line on which it was opened. */
  readonly indentWidth: number;
  /** True when nothing but blanks or a comment follows it on its line: it opens a block. */
  readonly opensBlock: boolean;
  /** Where it stands in the text handed in. */
  readonly offset: number;
  /** Opening mark of the string whose hole this is, as in `Scope.delimiter`; `null` for others. */
  readonly within: string | null;
}

/** Lexical structure around one cursor. */
export interface Scope {
  readonly region: CursorRegion;
  /** The quote or comment mark that the cursor is inside of; `null` in code. */
  readonly delimiter: string | null;
  /** Brackets open at the cursor within the window, outermost first. */
  readonly openBrackets: readonly OpenBracket[];
}

/** Answers structural questions about a text window. A syntax layer replaces the lexical one later. */
export interface ScopeProbe {
  /** Structure at the end of `prefix`. Never throws; costs O(prefix), so hand it a window. */
  at(prefix: string, languageId: string): Scope;
}

/** What a parser says about texts that may stand at one cursor. */
export interface SyntaxJudge {
  /** True when the text must not be shown: a place that parses would no longer, however it goes on. */
  breaks(edit: CursorEdit): boolean;
  /** Where the last whole statement of the text ends, as an offset in it; `null` without one. */
  lastStatementEnd(edit: CursorEdit): number | null;
}

/** Facts about names of the workspace, for rescoring. Absent symbols are not an error. */
export interface SymbolLookup {
  /** Number of workspace files that mention the identifier; 0 when it does not exist. */
  fileCount(identifier: string): number;
}

/** A document and a cursor for which context is looked for. */
export interface ContextPlace {
  /** Relative to the workspace; `null` when unknown. */
  readonly path: string | null;
  readonly languageId: string;
  readonly buffer: TextBuffer;
  readonly offset: number;
  /** What the caller sent along: open files, edits, copied text. */
  readonly sent: readonly Snippet[];
}

/** What a look for context brought. */
export interface ContextFinding {
  /** From the source's budgets, best first within each kind. Never text of an ignored or denied file. */
  readonly snippets: readonly Snippet[];
  /** Settles when the same question would bring more; `null` when everything is there. Never rejects. */
  readonly late: Promise<void> | null;
}

/** Knows the workspace and the documents that are open, and finds what may help at a cursor. */
export interface ContextSource {
  /** A document is open, or has changed. O(what changed). */
  see(document: {
    readonly path: string;
    readonly languageId: string;
    readonly buffer: TextBuffer;
  }): void;
  /** A document was closed. Unknown ones are ignored. */
  forget(path: string): void;
  /** Budget: 3 ms p50, 10 ms p95 in a workspace of a million lines. Never throws. */
  find(place: ContextPlace): ContextFinding;
  /** False once the file of a snippet may no longer be shown. */
  mayShow(path: string): boolean;
}
