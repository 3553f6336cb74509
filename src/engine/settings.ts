import type { Backend, FimFormat } from "../core/index.ts";

/** What the engine must know of the settings. Complete and frozen; `cli` makes it from the table. */
export interface EngineSettings {
  /** Minimum chance to show a text, 0..1; 0 switches the show rule off. */
  readonly threshold: number;
  /** From this chance on the local answer is final and no language model is asked. */
  readonly localChance: number;
  /** A language model that has not finished after this time is cut at a line, or given up. */
  readonly timeoutMs: number;
  /** Context that has not come by then serves the next request. */
  readonly contextDeadlineMs: number;
  /** Output limits where the caller sets none. */
  readonly maxTokensSingleLine: number;
  readonly maxTokensMultiLine: number;
  /** Caps of the prompt, in tokens. */
  readonly contextTokens: number;
  readonly prefixTokens: number;
  readonly suffixTokens: number;
  /** End prompts at token borders and demand the rest of the answer (token healing). */
  readonly isHealed: boolean;
  /** Ask ahead for the state after a shown text is accepted. */
  readonly isPrefetched: boolean;
  /** Have the model read a document's prompt before its first question, while it is idle. */
  readonly isWarmed: boolean;
  /** Hold the language model to brackets that match, where the backend takes a grammar. */
  readonly isBalanced: boolean;
  /** Language ids in which an automatic request asks nothing. */
  readonly disabledLanguages: ReadonlySet<string>;
}

/** The output limit of a request: the caller's, else that of one line or of several. */
export function outputLimit(
  settings: EngineSettings,
  request: { readonly maxTokens: number | null },
  multiline: boolean,
): number {
  const usual = multiline ? settings.maxTokensMultiLine : settings.maxTokensSingleLine;
  return request.maxTokens ?? usual;
}

/** The language model behind the local one. */
export interface LanguageModel {
  readonly backend: Backend;
  /** Id as the backend knows it. */
  readonly id: string;
  readonly format: FimFormat;
  /** Name of the repository, for formats that have a place for it; `""` when unknown. */
  readonly repositoryName: string;
}
