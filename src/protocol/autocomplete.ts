/** Wire types of `POST /v1/autocomplete`. Lengths are UTF-16 code units. */

/** What a caller sends; `{prefix, suffix}` is enough. Unknown fields are ignored. */
export interface AutocompleteBody {
  readonly prefix: string;
  readonly suffix: string;
  readonly language?: string;
  readonly path?: string;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly stop?: readonly string[] | string;
  readonly multiline?: "auto" | "never" | "always";
  readonly trigger?: "automatic" | "invoked";
  readonly session?: string;
  readonly version?: number;
  readonly stream?: boolean;
  /** 1 to 3. */
  readonly n?: number;
  /** 0 to 1; overrides the server's threshold for this request. */
  readonly threshold?: number;
  readonly selection?: boolean;
  readonly context?: readonly WireContext[];
  readonly explain?: boolean;
}

export interface WireContext {
  readonly path: string;
  readonly text: string;
  readonly kind: "open" | "edit";
}

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

export interface WireTimings {
  readonly queue_ms: number;
  readonly context_ms: number;
  readonly prompt_ms: number;
  readonly local_ms: number;
  readonly ttft_ms: number;
  readonly decode_ms: number;
  readonly post_ms: number;
}

export interface WireUsage {
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
}

export interface WireAlternative {
  readonly completion: string;
  readonly replace_before: number;
  readonly replace_after: number;
}

export interface WireSnippet {
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

/** Body of every answer with a status of 400 or more. */
export interface ErrorReply {
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean };
}
