import { CompletionError } from "../errors.ts";

/** How the tokens of one prompt are shared out. What prefix and suffix leave goes to snippets. */
export interface PromptBudget {
  /** Prompt with everything in it, sentinels too. */
  readonly totalTokens: number;
  /** Cap on the text left of the cursor. */
  readonly prefixTokens: number;
  /** Cap on the text right of the cursor. */
  readonly suffixTokens: number;
  /** Cap on symbols and imports of other files, among the snippets. */
  readonly definitionTokens: number;
}

/** Prompt length that is not exceeded without being asked to: more costs time and adds little. */
export const defaultMaxPromptTokens = 4096;

/** Taken where a model's context length is unknown. */
const ASSUMED_CONTEXT_TOKENS = 4096;
const MAX_PREFIX_TOKENS = 2000;
const MAX_SUFFIX_TOKENS = 800;
const MAX_DEFINITION_TOKENS = 300;
/** A few lines on each side of the cursor; with less a model guesses. */
const MIN_PROMPT_TOKENS = 64;

/**
 * The budget for a context length and an output. In a small context the caps shrink to shares (60 %
 * prefix, 25 % suffix), so that sentinels, path and a snippet still fit.
 * Throws CONTEXT_TOO_SMALL when the output leaves fewer than 64 tokens.
 */
export function promptBudget(options: {
  /** Prompt and output together; `null` when unknown: 4,096. */
  readonly contextTokens: number | null;
  readonly outputTokens: number;
  /** Default 4,096. */
  readonly maxPromptTokens?: number;
}): PromptBudget {
  const { outputTokens, maxPromptTokens = defaultMaxPromptTokens } = options;
  const contextTokens = options.contextTokens ?? ASSUMED_CONTEXT_TOKENS;
  const totalTokens = Math.min(maxPromptTokens, contextTokens - outputTokens);
  if (totalTokens < MIN_PROMPT_TOKENS) {
    throw new CompletionError(
      "CONTEXT_TOO_SMALL",
      `A context of ${contextTokens} tokens less ${outputTokens} for the output leaves ` +
        `${Math.max(0, totalTokens)} for the prompt; at least ${MIN_PROMPT_TOKENS} are needed`,
    );
  }
  return {
    totalTokens,
    prefixTokens: Math.min(MAX_PREFIX_TOKENS, Math.floor(0.6 * totalTokens)),
    suffixTokens: Math.min(MAX_SUFFIX_TOKENS, Math.floor(0.25 * totalTokens)),
    definitionTokens: Math.min(MAX_DEFINITION_TOKENS, Math.floor(0.1 * totalTokens)),
  };
}
