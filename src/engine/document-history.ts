/** What the engine remembers about one document between requests. */

import {
  type AnswerRing,
  type CompletionSource,
  type CursorView,
  type FinishReason,
  type FrozenPrefix,
  initialRhythm,
  type PromptWindow,
  type RequestRhythm,
  type TokenScore,
} from "../core/index.ts";
import type { Settled } from "../repo/index.ts";

/** What is known about an answer that was shown. */
export interface ShownAnswer {
  /** Id of the request that it answered; what is typed along with it is the same suggestion. */
  readonly suggestion: string;
  readonly chance: number | null;
  /** The chance after adapting to the person; `null` where nothing was learned. */
  readonly adapted: number | null;
  readonly model: string;
  readonly source: CompletionSource;
  /** `part`: a whole line may still take its place. */
  readonly extent: "whole" | "part";
}

let created = 0;

/** What a language model wrote, shown or not. */
export interface WrittenText {
  readonly askedAt: CursorView;
  readonly multiline: boolean;
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly scores: readonly TokenScore[];
}

/** Mutable on purpose: it is the identity of a document, with the lifetime of its entry. */
export class DocumentHistory {
  /** False: the document is not recognised in the next request, so nothing said ahead can help. */
  readonly isKept: boolean;
  /** Names the document among questions to a language model; unique in this process. */
  readonly id: string = `d${created++}`;
  /** Answers that were given, newest first. */
  answers: AnswerRing<ShownAnswer> = [];
  /** What the model wrote last, greedily; `null` before it did. */
  written: WrittenText | null = null;
  /** How fast the person types and the model answers. */
  rhythm: RequestRhythm = initialRhythm;
  /** The last window of the prompt; the next one starts at the same place. */
  promptWindow: PromptWindow | null = null;
  /** What of it stands before the suffix, where the suffix comes second. */
  frozen: FrozenPrefix | null = null;
  /** Texts of the snippets in the last prompt that was sent; `null` before the first. */
  sentSnippets: readonly string[] | null = null;
  /** The snippets of its prompts; `null` before the first. */
  settled: Settled | null = null;
  /** The version for which they were last looked at. */
  settledView: object | null = null;
  /** Where the cursor was when they were chosen. */
  settledOffset = 0;
  /** Ends the wait of the newest request that waits before asking a model. */
  stopWaiting: (() => void) | null = null;

  constructor(options: { readonly isKept: boolean }) {
    this.isKept = options.isKept;
  }
}
