import { describe, expect, it } from "vitest";
import { scriptedModel, tokenize } from "../../testing/scripted-llama.ts";
import type { EngineModel } from "./engine-library.ts";
import { PromptTokenizer } from "./prompt-tokens.ts";

const sentinel = (text: string) => ({ isSentinel: true, text });
const plain = (text: string) => ({ isSentinel: false, text });

/** The scripted model, which wants a begin-of-text token or not. */
function model(bos: number | null, changes: Partial<EngineModel> = {}): EngineModel {
  const tokens = { bos, shouldPrependBosToken: bos !== null };
  return { ...scriptedModel(), tokens, ...changes };
}

const pieces = [
  sentinel("<|fim_prefix|>"),
  plain("a <|fim_suffix|>"),
  sentinel("<|fim_suffix|>"),
  plain("b"),
  sentinel("<|fim_middle|>"),
];

describe("a prompt in tokens", () => {
  it("sentinels are one token each, and what looks like one in a text is text", () => {
    const { tokens, before, others } = new PromptTokenizer(model(null)).prompt({
      pieces,
      cursorPiece: 1,
    });
    expect(tokens).toEqual([256, ...tokenize("a <|fim_suffix|>", false), 257, 98, 258]);
    expect(before).toEqual(tokenize("a <|fim_suffix|>", false));
    expect(others).toEqual([[98]]);
  });

  it("begins with the model's own token, once", () => {
    const wants = new PromptTokenizer(model(7));
    expect(wants.prompt({ pieces, cursorPiece: 1 }).tokens.slice(0, 2)).toEqual([7, 256]);
    const has = new PromptTokenizer(model(256));
    expect(has.prompt({ pieces, cursorPiece: 1 }).tokens.slice(0, 2)).toEqual([256, 97]);
  });

  it("without pieces the text is parsed for sentinels", () => {
    const tokenizer = new PromptTokenizer(model(null));
    const { tokens } = tokenizer.prompt({ pieces: "a<|fim_middle|>", cursorPiece: null });
    expect(tokens).toEqual([97, 258]);
  });

  it("nothing stands before the cursor: all texts are elsewhere", () => {
    const { before, others } = new PromptTokenizer(model(null)).prompt({
      pieces,
      cursorPiece: null,
    });
    expect([before, others.length]).toEqual([[], 2]);
  });

  it("a sentinel may be spelled with the blank of SentencePiece", () => {
    const spelled = model(null, {
      tokenize: (text, special) =>
        special && text === "\u2581<PRE>" ? [9] : tokenize(text, special),
    });
    const { tokens } = new PromptTokenizer(spelled).prompt({
      pieces: [sentinel("<PRE>")],
      cursorPiece: null,
    });
    expect(tokens).toEqual([9]);
  });

  it("a text is tokenised once", () => {
    let calls = 0;
    const counted = model(null, {
      tokenize: (text, special) => {
        calls++;
        return tokenize(text, special);
      },
    });
    const tokenizer = new PromptTokenizer(counted);
    tokenizer.prompt({ pieces, cursorPiece: 1 });
    const before = calls;
    tokenizer.prompt({ pieces: [...pieces, plain("new")], cursorPiece: 1 });
    expect(calls - before).toBe(1);
  });
});
