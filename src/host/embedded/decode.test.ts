import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { END, scriptedModel, scriptedSequence, tokenize } from "../../testing/scripted-llama.ts";
import { type DecodedToken, decodeStep, decodeSteps, likeliestTokens, prefill } from "./decode.ts";
import { DraftSource } from "./draft-source.ts";
import type { EngineSequence } from "./engine-library.ts";

const open = async (): Promise<void> => {};
const greedy = { temperature: 0, wantsChances: false } as const;
const prompt = (script: string): number[] => tokenize(`«${script}»<|fim_middle|>`, true);

async function answer(
  sequence: EngineSequence,
  tokens: readonly number[],
  drafts: DraftSource | null = null,
): Promise<{ readonly text: string; readonly steps: number }> {
  const { pending } = await prefill(sequence, tokens, { chunkTokens: 1000, gate: open });
  const came: number[] = [];
  let steps = 0;
  const options = { maxTokens: 100, sampling: greedy, drafts, gate: open };
  for await (const step of decodeSteps(sequence, pending, options)) {
    steps++;
    came.push(...step.map(({ token }) => token));
    if (came.includes(END)) break;
  }
  const end = came.indexOf(END);
  return { text: scriptedModel().detokenize(came.slice(0, end), true), steps };
}

describe("a prompt is evaluated in pieces", () => {
  it("all but the last one, which goes with the first step", async () => {
    const sequence = scriptedSequence(4096);
    const tokens = Array.from({ length: 1000 }, (_, i) => i % 250);
    const { pending, cachedTokens } = await prefill(sequence, tokens, {
      chunkTokens: 256,
      gate: open,
    });
    expect(sequence.passes).toEqual([256, 256, 256]);
    expect([pending.length, cachedTokens]).toEqual([232, 0]);
  });

  it("a request that is given up leaves what was evaluated for the next one", async () => {
    const sequence = scriptedSequence(4096);
    const tokens = Array.from({ length: 1000 }, (_, i) => i % 250);
    const reason = new Error("given up");
    let calls = 0;
    const gate = async (): Promise<void> => {
      if (++calls > 3) throw reason;
    };
    await expect(prefill(sequence, tokens, { chunkTokens: 256, gate })).rejects.toBe(reason);
    expect(sequence.passes).toEqual([256, 256]);
    const { cachedTokens } = await prefill(sequence, tokens, { chunkTokens: 256, gate: open });
    expect(cachedTokens).toBe(512);
  });

  it("what both prompts begin with stays, but at least one token is evaluated", async () => {
    const sequence = scriptedSequence(100);
    const options = { chunkTokens: 2, gate: open };
    await prefill(sequence, [1, 2, 3, 4, 5], options);
    expect(sequence.cache).toEqual([1, 2, 3, 4]);
    expect((await prefill(sequence, [1, 2, 9, 9], options)).cachedTokens).toBe(2);
    expect(await prefill(sequence, [1, 2], options)).toEqual({ cachedTokens: 1, pending: [2] });
  });

  it("a state that cannot be cut back is emptied", async () => {
    const sequence = { ...scriptedSequence(100), needsCheckpoints: true };
    let cleared = 0;
    sequence.clearHistory = async () => void cleared++;
    Object.defineProperty(sequence, "nextTokenIndex", { get: () => (cleared > 0 ? 0 : 5) });
    sequence.compareContextTokens = () => ({ firstDifferentIndex: 3 });
    await prefill(sequence, [1, 2, 3, 4], { chunkTokens: 10, gate: open });
    expect(cleared).toBe(1);
  });
});

describe("a step takes what was guessed right and one more", () => {
  const cases = [
    ["all right", "bcd", "bcde", "abcd"],
    ["the first ones right", "bcx", "bcd", "abc"],
    ["all wrong", "xyz", "b", "a"],
    ["none", "", "b", "a"],
  ] as const;
  it.each(cases)("%s", async (_, guess, expected, kept) => {
    const sequence = scriptedSequence(4096);
    const tokens = prompt("abcdefg");
    await sequence.evaluateWithoutGeneratingNewTokens(tokens);
    const step = await decodeStep(sequence, tokenize("a", false), {
      draft: tokenize(guess, false),
      sampling: greedy,
    });
    expect(String.fromCharCode(...step.map(({ token }) => token))).toBe(expected);
    // The last token of a step is evaluated by the next one.
    expect(String.fromCharCode(...sequence.cache.slice(tokens.length))).toBe(kept);
  });

  it("the likeliest token and its log-probability, when chances are asked for", async () => {
    const sequence = scriptedSequence(4096);
    const sampling = { temperature: 0, wantsChances: true };
    const step = await decodeStep(sequence, prompt("a"), { draft: [], sampling });
    expect(step).toEqual([{ token: 97, logProbability: Math.log(0.5) }] satisfies DecodedToken[]);
  });
});

describe("no pass covers one token alone, since that would round otherwise", () => {
  it("neither a step without a draft, nor one that looks for tokens that agree", async () => {
    const sequence = scriptedSequence(4096);
    const tokens = prompt("abc");
    await answer(sequence, tokens);
    // The whole prompt is there but for its last token.
    await answer(sequence, tokens);
    const { pending } = await prefill(sequence, tokens, { chunkTokens: 100, gate: open });
    const [first] = await likeliestTokens(sequence, pending);
    expect(first).toEqual({ token: 97, logProbability: Math.log(0.5) });
    expect(sequence.cache).toEqual(tokens);
    expect(Math.min(...sequence.passes)).toBe(2);
  });
});

describe("drafts change the steps and not the text", () => {
  it("whatever they are", async () => {
    const texts = fc.array(fc.constantFrom("ab", "item", "c", "\n"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(texts, { maxLength: 3 }),
        texts,
        async (said, guessed, near) => {
          const tokens = prompt(said.join(""));
          const drafts = new DraftSource({
            before: tokenize(near.join(""), false),
            others: [tokens],
            candidates: guessed.map((guess) => tokenize(guess.join(""), false)),
          });
          const plain = await answer(scriptedSequence(4096), tokens);
          const fast = await answer(scriptedSequence(4096), tokens, drafts);
          expect(fast.text).toBe(plain.text);
          expect(fast.steps).toBeLessThanOrEqual(plain.steps);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are left out where a state cannot be cut back, and where chance decides", async () => {
    const tokens = prompt("abcabcabc");
    for (const [needsCheckpoints, temperature] of [
      [true, 0],
      [false, 0.8],
    ] as const) {
      const sequence = scriptedSequence(4096);
      Object.defineProperty(sequence, "needsCheckpoints", { value: needsCheckpoints });
      const drafts = new DraftSource({
        before: [],
        others: [],
        candidates: [tokenize("abcabcabc", false)],
      });
      const sampling = { temperature, wantsChances: false };
      const options = { maxTokens: 5, sampling, drafts, gate: open };
      const sizes: number[] = [];
      for await (const step of decodeSteps(sequence, tokens, options)) sizes.push(step.length);
      expect(sizes).toEqual([1, 1, 1, 1, 1]);
    }
  });
});
