/**
 * Decoding with one KV cache: the prompt in pieces, so that a request that was given up stops soon;
 * then steps, each of which gives the next token and, while drafts hold, as many more as were guessed
 * right. What a step gives is what the model chose after each token: drafts change how many steps
 * there are, never the text. (The library's own loop takes one guess a step at most, and its grammars
 * do not work in the one that we use.)
 */
import type { DraftSource } from "./draft-source.ts";
import type { EngineOutput, EngineSequence, GenerateNext } from "./engine-library.ts";

/** A token that the model chose; its natural log-probability where that was asked for. */
export interface DecodedToken {
  readonly token: number;
  readonly logProbability: number | null;
}

export interface Sampling {
  /** 0: always the likeliest token. */
  readonly temperature: number;
  /** Asks for log-probabilities, among the 40 likeliest tokens: over all it takes ten times as long. */
  readonly wantsChances: boolean;
}

/** Resolves when the request may go on; rejects when it was given up. Called before each pass. */
export type Gate = () => Promise<void>;

/** Candidates of one place. The rest of the vocabulary has a chance of some thousandths together. */
const TOP_TOKENS = 40;
const topChances: GenerateNext = {
  probabilities: true,
  options: { temperature: 1, topK: TOP_TOKENS, topP: 1 },
};
const likeliest: GenerateNext = { token: true, options: { temperature: 0 } };

/** The part of a prompt that is still to be evaluated, at least its last token. */
export interface Prefilled {
  readonly pending: readonly number[];
  /** Tokens of the prompt that were in the KV cache. */
  readonly cachedTokens: number;
}

/** Brings the cache to the prompt: keeps what both begin with and evaluates all but the last piece. */
export async function prefill(
  sequence: EngineSequence,
  prompt: readonly number[],
  { chunkTokens, gate }: { readonly chunkTokens: number; readonly gate: Gate },
): Promise<Prefilled> {
  await gate();
  const equal = sequence.compareContextTokens(prompt).firstDifferentIndex;
  const keep = Math.min(equal, prompt.length - 1);
  const isCut = keep < sequence.nextTokenIndex;
  if (isCut && sequence.needsCheckpoints) await sequence.clearHistory();
  else await cutTo(sequence, keep);
  const cachedTokens = sequence.nextTokenIndex;
  let start = cachedTokens;
  for (; prompt.length - start > chunkTokens; start += chunkTokens) {
    await gate();
    await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(start, start + chunkTokens));
  }
  return { pending: prompt.slice(start), cachedTokens };
}

/** Evaluates `pending` and the draft in one pass; the tokens that follow, one more than guessed right. */
export async function decodeStep(
  sequence: EngineSequence,
  pending: readonly number[],
  { draft, sampling }: { readonly draft: readonly number[]; readonly sampling: Sampling },
): Promise<readonly DecodedToken[]> {
  const outputs = await evaluate(sequence, pending, { draft, ask: questionOf(sampling) });
  const first = sequence.nextTokenIndex - outputs.length + 1;
  const tokens: DecodedToken[] = [];
  for (const output of outputs) {
    const decoded = chosen(output, sampling);
    tokens.push(decoded);
    if (decoded.token !== draft[tokens.length - 1]) break;
  }
  await cutTo(sequence, first + tokens.length - 1);
  return tokens;
}

/** The likeliest tokens after `pending`, the likeliest first, with their log-probabilities. */
export async function likeliestTokens(
  sequence: EngineSequence,
  pending: readonly number[],
): Promise<readonly { readonly token: number; readonly logProbability: number }[]> {
  const [output, ...rest] = await evaluate(sequence, pending, { draft: [], ask: topChances });
  await cutTo(sequence, sequence.nextTokenIndex - rest.length);
  const probabilities = output?.next.probabilities ?? [];
  return Array.from(probabilities, ([token, chance]) => ({
    token,
    logProbability: Math.log(chance),
  }));
}

/** One pass. What follows the last of `pending`, and what would follow each token behind it. */
async function evaluate(
  sequence: EngineSequence,
  pending: readonly number[],
  { draft, ask }: { readonly draft: readonly number[]; readonly ask: GenerateNext },
): Promise<readonly (EngineOutput | undefined)[]> {
  // Invariant: no pass covers one token alone, since the processor's kernels for that round otherwise
  // than those for several, and the text would depend on what was guessed and what was in the cache.
  const isAlone = pending.length === 1 && draft.length === 0 && !sequence.needsCheckpoints;
  const guess = isAlone ? pending : draft;
  const known = pending.slice(0, -1);
  const asked = [...pending.slice(-1), ...guess];
  const outputs = await sequence.controlledEvaluate([
    ...known,
    ...asked.map((token) => [token, { generateNext: ask }] as const),
  ]);
  return outputs.slice(known.length);
}

/** Removes all from this place on. */
export async function cutTo(sequence: EngineSequence, start: number): Promise<void> {
  const end = sequence.nextTokenIndex;
  if (start < end) await sequence.eraseContextTokenRanges([{ start, end }]);
}

/** Free steps until the caller leaves the loop or `maxTokens` came. */
export async function* decodeSteps(
  sequence: EngineSequence,
  pending: readonly number[],
  options: {
    readonly maxTokens: number;
    readonly sampling: Sampling;
    /** `null`: one token a step. */
    readonly drafts: DraftSource | null;
    readonly gate: Gate;
  },
): AsyncGenerator<readonly DecodedToken[], void, void> {
  const { sampling, gate } = options;
  // A state that cannot be cut back cannot give up what was guessed wrong; and with chance in the
  // choice the text would depend on the drafts.
  const drafts = sequence.needsCheckpoints || sampling.temperature > 0 ? null : options.drafts;
  let next = pending;
  for (let left = options.maxTokens; left > 0; ) {
    await gate();
    const draft = drafts?.propose(left - 1) ?? [];
    const step = await decodeStep(sequence, next, { draft, sampling });
    const tokens = step.map(({ token }) => token);
    drafts?.push(tokens);
    yield step;
    left -= step.length;
    next = tokens.slice(-1);
  }
}

/** Steps that obey a grammar, one token each, until the caller leaves the loop or the text is complete. */
export async function* grammarSteps(
  sequence: EngineSequence,
  pending: readonly number[],
  {
    grammarState,
    temperature,
    gate,
  }: { readonly grammarState: unknown; readonly temperature: number; readonly gate: Gate },
): AsyncGenerator<readonly DecodedToken[], void, void> {
  await gate();
  const options = {
    temperature,
    grammarEvaluationState: grammarState,
    yieldEogToken: true,
  } as const;
  for await (const token of sequence.evaluate(pending, options)) {
    yield [{ token, logProbability: null }];
    await gate();
  }
}

function questionOf({ temperature, wantsChances }: Sampling): GenerateNext {
  if (temperature === 0) return wantsChances ? topChances : likeliest;
  // The sampler's own seed is the second of the clock.
  const seed = Math.floor(Math.random() * 2 ** 32);
  const options = { temperature, topK: TOP_TOKENS, topP: 1, seed };
  return wantsChances ? { token: true, probabilities: true, options } : { token: true, options };
}

function chosen(
  output: EngineOutput | undefined,
  { temperature, wantsChances }: Sampling,
): DecodedToken {
  const { token = null, probabilities } = output?.next ?? {};
  if (temperature === 0 && wantsChances) {
    for (const [first, chance] of probabilities ?? []) {
      return { token: first, logProbability: Math.log(chance) };
    }
  }
  if (token === null) throw new Error("the model chose no token");
  const chance = probabilities?.get(token);
  return { token, logProbability: chance === undefined ? null : Math.log(chance) };
}
