/** Wire types of `POST /v1/autocomplete`. Lengths are UTF-16 code units. */

/**
 * What a caller sends; `{prefix, suffix}` is enough. Unknown fields are ignored, and `null` in an
 * optional field is the same as leaving it out. `autocompleteLimits` has the ranges.
 */
export interface AutocompleteBody {
  readonly prefix: string;
  readonly suffix: string;
  /** The editor's language id; default: from the extension of `path`. */
  readonly language?: string | undefined;
  readonly path?: string | undefined;
  /** Default: 48 for one line, 200 for several. */
  readonly max_tokens?: number | undefined;
  /** Default 0, which is greedy. */
  readonly temperature?: number | undefined;
  readonly stop?: readonly string[] | string | undefined;
  /** Default `auto`. */
  readonly multiline?: WireMultiline | undefined;
  /** Default `automatic`. */
  readonly trigger?: WireTrigger | undefined;
  /** With `path` it names the document. */
  readonly session?: string | undefined;
  /** The editor's counter; an older one than the last seen ends in none(stale). */
  readonly version?: number | undefined;
  /** True answers with server-sent events. */
  readonly stream?: boolean | undefined;
  /** How many texts, the completion included; default 1. */
  readonly n?: number | undefined;
  /** Overrides the server's threshold for this request; 0 switches the show rule off. */
  readonly threshold?: number | undefined;
  /** True when something is selected. */
  readonly selection?: boolean | undefined;
  readonly context?: readonly WireContext[] | undefined;
  /** True adds prompt, snippets and candidates to the reply. */
  readonly explain?: boolean | undefined;
  /** False for a question that nobody typed: it is no event and in no figure. Default true. */
  readonly noted?: boolean | undefined;
}

type WireMultiline = "auto" | "never" | "always";

type WireTrigger = "automatic" | "invoked";

/** An open file, a recent edit or copied text that the caller sends along. */
export interface WireContext {
  readonly path: string;
  readonly text: string;
  /** `copied` is used only where `context.copied.enabled` is set. */
  readonly kind: "open" | "edit" | "copied";
}

/** Ranges of the fields. Text is measured in UTF-16 code units, as JavaScript's `length` does. */
export const autocompleteLimits = {
  /** `prefix` and `suffix` together: 2 MB. */
  textUnits: 2_097_152,
  pathUnits: 4096,
  languageUnits: 64,
  sessionUnits: 256,
  maxTokens: { min: 1, max: 512 },
  temperature: { min: 0, max: 2 },
  n: { min: 1, max: 3 },
  threshold: { min: 0, max: 1 },
  stops: 16,
  stopUnits: 200,
  contextItems: 64,
  /** All `context[].text` together: 2 MB. */
  contextUnits: 2_097_152,
} as const;

/** What the server answers. `completion` is `""` exactly when `reason` is a string. */
export interface AutocompleteReply {
  readonly id: string;
  readonly completion: string;
  readonly replace_before: number;
  readonly replace_after: number;
  readonly model: string | null;
  readonly source: "local" | "model" | "cache" | "type-through" | "prefetch" | null;
  readonly confidence: number | null;
  readonly finish_reason: "stop" | "length" | "timeout";
  readonly latency_ms: number;
  readonly timings: WireTimings;
  readonly usage: WireUsage;
  readonly reason: string | null;
  readonly alternatives?: readonly WireAlternative[];
  readonly prompt?: string | null;
  readonly snippets?: readonly WireSnippet[];
  readonly candidates?: readonly WireCandidate[];
  /** With `explain`: the chance that had to be reached, and the decision in words. */
  readonly threshold?: number;
  readonly decision?: string;
}

interface WireTimings {
  readonly queue_ms: number;
  readonly context_ms: number;
  readonly prompt_ms: number;
  readonly local_ms: number;
  readonly ttft_ms: number;
  readonly decode_ms: number;
  readonly post_ms: number;
}

interface WireUsage {
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
}

export interface WireAlternative {
  readonly completion: string;
  readonly replace_before: number;
  readonly replace_after: number;
}

interface WireSnippet {
  readonly path: string;
  readonly source: string;
  readonly score: number;
  readonly text: string;
}

export interface WireCandidate {
  readonly text: string;
  readonly chance: number | null;
  readonly source: string;
  readonly rejected_by: string | null;
}

/** Data of the server-sent event `delta`. The texts of all deltas add up to `completion`. */
export interface DeltaEvent {
  readonly text: string;
}

/** Body of every answer with a status of 400 or more. */
export interface ErrorReply {
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean };
}
