/**
 * The words of the completion domain. They mean the same in code, events, metrics and on the wire.
 * Offsets and lengths are UTF-16 code units; lines and columns count from 0.
 */

/** Why the engine was asked: by a person's command, or because somebody typed. */
export type TriggerKind = "invoked" | "automatic";

/** How many lines a completion may have; see `decideMultiline` for what `auto` means. */
export type MultilineMode = "auto" | "never" | "always";

/** Why the text ended: by itself or at a stop, at the token limit, or at the time limit. */
export type FinishReason = "stop" | "length" | "timeout";

/** Where a shown text came from. */
export type CompletionSource = "local" | "model" | "cache" | "type-through" | "prefetch";

/** Every reason for which a request ends without a text to show. A closed list. */
export const noCompletionReasons = [
  "disabled",
  "excluded",
  "policy",
  "stale",
  "superseded",
  "cancelled",
  "empty",
  "duplicate",
  "repetition",
  "unbalanced",
  "syntax",
  "secret",
  "invisible-character",
  "below-threshold",
  "no-model",
  "deadline",
] as const;

/** One of `noCompletionReasons`. */
export type NoCompletionReason = (typeof noCompletionReasons)[number];

/**
 * A change at the cursor: `replaceBefore` units left of it and `replaceAfter` units right of it are
 * replaced by `text`. The document afterwards is
 * `prefix.slice(0, prefix.length - replaceBefore) + text + suffix.slice(replaceAfter)`.
 * Invariant: neither number crosses a line break; every removed unit right of the cursor, and every
 * removed non-blank one left of it, recurs in `text` in order. Nothing a person typed is lost.
 */
export interface CursorEdit {
  readonly text: string;
  readonly replaceBefore: number;
  readonly replaceAfter: number;
}

/**
 * Tokens of one request as the backend counted them. From a backend 0 where it does not count; where it
 * did not say, since it does not or its answer was left when the text was final, the engine's results
 * hold what was counted by us: the tokens of the prompt, none cached, and a token for each piece of text
 * that arrived.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Passes through the model that gave output tokens; absent where the backend does not say. */
  readonly decodeSteps?: number;
}

/** How every request ends: with a text to show, or with the reason why there is none. */
export type Outcome =
  | { readonly kind: "completion"; readonly edit: CursorEdit; readonly chance: number | null }
  | { readonly kind: "none"; readonly reason: NoCompletionReason };

/** The text around a cursor. Never the whole document: windows that start and end at line borders. */
export interface CursorWindow {
  /** As the editor names it, relative to the workspace where it is inside; `null` when unknown. */
  readonly path: string | null;
  /** The editor's language id, lower case, such as `typescript`; `plaintext` when unknown. */
  readonly languageId: string;
  /** Text left of the cursor, from a line start. */
  readonly prefix: string;
  /** Text right of the cursor, up to a line end. */
  readonly suffix: string;
  /** Number of document lines above the first line of `prefix`; 0 when it starts at the top. */
  readonly linesAbove: number;
  /** True when `suffix` ends where the document ends. */
  readonly reachesEnd: boolean;
}

/**
 * What found a snippet: an open file or an edit that the caller sent or that was seen, what was copied,
 * the head of the document itself, an import, a name used near the cursor, a window of an open file that
 * looks alike, a search through the workspace, a search by meaning.
 */
export const snippetKinds = [
  "head",
  "import",
  "definition",
  "open",
  "edit",
  "copied",
  "similar",
  "search",
  "embedding",
] as const;

/** One of `snippetKinds`. */
export type SnippetKind = (typeof snippetKinds)[number];

/** Text from elsewhere that may help the model. */
export interface Snippet {
  readonly path: string;
  readonly text: string;
  readonly kind: SnippetKind;
  /** Higher is more useful; comparable within one kind only. 0 when unknown. */
  readonly score: number;
}
