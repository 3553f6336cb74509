/** What goes into the engine and what comes out, for every transport. */
import type {
  CompletionSource,
  CursorEdit,
  FinishReason,
  MultilineMode,
  Outcome,
  Snippet,
  TriggerKind,
  Usage,
} from "../core/index.ts";

/** Which text the cursor is in. */
export type EngineDocument =
  | {
      /** Stateless or whole-text transports: the text around the cursor comes with the request. */
      readonly kind: "text";
      readonly prefix: string;
      readonly suffix: string;
      readonly path: string | null;
      /** `null`: derived from the extension of `path`. */
      readonly languageId: string | null;
      /** With `path` it names the document whose history is kept; `null` shares the answer cache only. */
      readonly session: string | null;
      /** The editor's counter; an older one than the last seen ends in none(stale). */
      readonly version: number | null;
    }
  | {
      /** A document opened through `Engine.open` and kept up to date by edits. */
      readonly kind: "open";
      readonly uri: string;
      readonly version: number;
      readonly offset: number;
    };

/** One request for a completion. Complete: the transport has put in every default. */
export interface EngineRequest {
  readonly document: EngineDocument;
  readonly trigger: TriggerKind;
  readonly multiline: MultilineMode;
  /** `null`: 48 for one line, 200 for several. At most 512. */
  readonly maxTokens: number | null;
  /** 0 is greedy. */
  readonly temperature: number;
  /** The caller's stop strings, added to those of the model. */
  readonly stop: readonly string[];
  /** How many texts to return, 1 to 3; the first is the completion. */
  readonly count: number;
  /** Minimum chance for this request; `null` takes the setting. */
  readonly threshold: number | null;
  /** Open files and recent edits that the caller sends along. */
  readonly snippets: readonly Snippet[];
  /** True when something is selected: an automatic request then asks nothing. */
  readonly hasSelection: boolean;
  /** Adds prompt, snippets and candidates to the result. */
  readonly explain: boolean;
  /** False keeps it out of the events, and so out of what `midspan stats` counts: nobody typed it. */
  readonly isNoted: boolean;
}

/** Milliseconds of each stage; 0 when the stage did not run. */
export interface Timings {
  readonly queueMs: number;
  readonly contextMs: number;
  readonly promptMs: number;
  readonly localMs: number;
  readonly ttftMs: number;
  readonly decodeMs: number;
  readonly postMs: number;
  readonly totalMs: number;
}

/** One text that was considered. */
export interface ExplainedCandidate {
  readonly text: string;
  /** `null` where uncalibrated. */
  readonly chance: number | null;
  readonly source: CompletionSource;
  /** Filter or rule that refused it, such as `duplicate` or `below-threshold`; `null` when it stood. */
  readonly rejectedBy: string | null;
}

/** What `explain` adds. */
export interface Explanation {
  /** The prompt of the language model; `null` when none was asked. */
  readonly prompt: string | null;
  readonly snippets: readonly {
    readonly path: string;
    readonly source: string;
    readonly score: number;
    readonly text: string;
  }[];
  readonly candidates: readonly ExplainedCandidate[];
  /** The chance that a text of this length had to reach. */
  readonly threshold: number;
  /** In words, for a person: why this was shown, or why nothing was. */
  readonly decision: string;
}

/** The end of one request. Exactly one per request. */
export interface EngineResult {
  /** Unique; events refer to it. */
  readonly id: string;
  readonly outcome: Outcome;
  /** `null` when there is no text. */
  readonly source: CompletionSource | null;
  /** Id of the model that wrote the text, `local` for the one without weights; `null` when nothing. */
  readonly model: string | null;
  readonly finishReason: FinishReason;
  readonly alternatives: readonly CursorEdit[];
  readonly timings: Timings;
  readonly usage: Usage;
  readonly explanation: Explanation | null;
}
