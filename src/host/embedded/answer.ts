/** One answer of the model in the child process: from the request to its texts and counts. */
import { StopCutter } from "../../base/stop-cutter.ts";
import { CompletionError, type FinishReason, type Usage } from "../../core/index.ts";
import { type DecodedToken, decodeSteps, type Gate, grammarSteps, prefill } from "./decode.ts";
import { DraftSource } from "./draft-source.ts";
import type { EngineModel, EngineSequence } from "./engine-library.ts";
import { forcedSteps } from "./forced-text.ts";
import type { CompleteMessage } from "./messages.ts";
import type { PromptTokenizer, TokenizedPrompt } from "./prompt-tokens.ts";
import { TokenText } from "./token-text.ts";

/** What an answer is made with. */
export interface AnswerParts {
  readonly model: EngineModel;
  readonly sequence: EngineSequence;
  readonly tokenizer: PromptTokenizer;
  /** A fresh state for one answer. Rejects with `CompletionError` for a text that is no grammar. */
  readonly grammarState: (grammar: string) => Promise<unknown>;
  /** Prompt and output together. */
  readonly contextTokens: number;
  /** Tokens of a prompt that are evaluated in one pass. */
  readonly chunkTokens: number;
  readonly gate: Gate;
  readonly emit: (text: string, logProbability: number | null) => void;
}

/** How an answer ended. */
export interface AnswerEnd {
  readonly finishReason: FinishReason;
  readonly usage: Usage;
}

/** The gate throws this when nobody waits for the answer any more. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/**
 * Emits the text piece by piece, without the stop that ended it and without half characters. Ends
 * quietly, with the counts so far, when the gate throws `GivenUp`. Throws `CompletionError` for a
 * prompt that does not fit or is not the model's.
 */
export async function runAnswer(request: CompleteMessage, parts: AnswerParts): Promise<AnswerEnd> {
  const { model, sequence, emit } = parts;
  const prompt = parts.tokenizer.prompt(request.prompt);
  const maxTokens = Math.min(request.maxTokens, roomFor(prompt, parts));
  const cutter = new StopCutter(request.stop);
  const text = new TokenText(
    (tokens, before) => model.detokenize(tokens, true, before),
    prompt.tokens,
  );
  let finishReason: FinishReason = "stop";
  let cachedTokens = 0;
  let outputTokens = 0;
  let steps = 0;
  let heldLogProbability: number | null = null;

  const emitCertain = (certain: string): void => {
    if (certain === "") return;
    emit(certain, heldLogProbability);
    heldLogProbability = null;
  };
  /** True when the answer is over. */
  const take = ({ token, logProbability }: DecodedToken): boolean => {
    if (model.isEogToken(token)) return true;
    outputTokens++;
    if (logProbability !== null) heldLogProbability = (heldLogProbability ?? 0) + logProbability;
    emitCertain(cutter.push(text.push(token)));
    if (cutter.isStopped) return true;
    if (outputTokens < maxTokens) return false;
    finishReason = "length";
    return true;
  };

  try {
    const filled = await prefill(sequence, prompt.tokens, parts);
    cachedTokens = filled.cachedTokens;
    if (maxTokens === 0) {
      finishReason = "length";
      // All but the last token are there already: nothing is left to prepare.
      if (filled.pending.length > 1) {
        await sequence.evaluateWithoutGeneratingNewTokens(filled.pending);
      }
    } else {
      const all = answerSteps(request, { parts, prompt, pending: filled.pending, maxTokens });
      for await (const step of all) {
        steps++;
        if (step.some(take)) break;
      }
    }
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  }
  emitCertain(cutter.push(text.end()));
  emitCertain(cutter.end());
  const inputTokens = prompt.tokens.length;
  return { finishReason, usage: { inputTokens, cachedTokens, outputTokens, decodeSteps: steps } };
}

/** Tokens that may follow the prompt. The library keeps one place free. */
function roomFor({ tokens }: TokenizedPrompt, { contextTokens }: AnswerParts): number {
  const room = contextTokens - 1 - tokens.length;
  if (tokens.length > 0 && room > 0) return room;
  throw new CompletionError(
    tokens.length === 0 ? "BACKEND_REFUSED" : "CONTEXT_TOO_SMALL",
    tokens.length === 0
      ? "The prompt is empty; the embedded engine needs at least one token"
      : `The prompt has ${tokens.length} tokens, the embedded engine was started for ${contextTokens}`,
  );
}

async function* answerSteps(
  request: CompleteMessage,
  answer: {
    readonly parts: AnswerParts;
    readonly prompt: TokenizedPrompt;
    readonly pending: readonly number[];
    readonly maxTokens: number;
  },
): AsyncGenerator<readonly DecodedToken[], void, void> {
  const { parts, prompt, maxTokens } = answer;
  const { model, sequence, gate, grammarState } = parts;
  const { temperature, grammar, forcedPrefix: forced } = request;
  let pending = answer.pending;
  if (grammar !== null) {
    const state = await grammarState(grammar);
    yield* grammarSteps(sequence, pending, { grammarState: state, temperature, gate });
    return;
  }
  const candidates = request.drafts?.map((draft) => parts.tokenizer.text(draft));
  const drafts = candidates === undefined ? null : new DraftSource({ ...prompt, candidates });
  let left = maxTokens;
  if (forced !== "") {
    const before = prompt.tokens.slice(-1);
    const textOf = (token: number): string =>
      model.detokenize([token], false) === "" ? "" : model.detokenize([token], true, before);
    const detokenize = (tokens: readonly number[]): string => model.detokenize(tokens, true);
    const options = { forced, textOf, detokenize, grammarState, gate };
    for await (const step of forcedSteps(sequence, pending, options)) {
      yield step;
      pending = step.map(({ token }) => token);
      drafts?.push(pending);
      left--;
    }
  }
  const sampling = { temperature, wantsChances: request.logProbabilities };
  yield* decodeSteps(sequence, pending, { maxTokens: left, sampling, drafts, gate });
}
