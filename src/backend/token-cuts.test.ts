import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAfterLineEnds, cutBeforeLineEnds, cutSample } from "./token-cuts.ts";

/** The patterns by which tokenizers cut before they merge, as published with their models. */
const patterns = {
  gpt2: /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu,
  qwen2:
    /'(?:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/giu,
};

const tokens = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];

const code = fc
  .array(
    fc.constantFrom(
      "foo",
      ";",
      "{",
      "}",
      " ",
      "    ",
      "\t",
      "\n",
      "\r\n",
      "\r",
      "π",
      "🚀",
      "42",
      "\u2028",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("a cut text has the tokens of the whole", () => {
  it.each([
    ["GPT-2 and StarCoder", patterns.gpt2, cutBeforeLineEnds],
    ["Qwen and Llama 3", patterns.qwen2, cutAfterLineEnds],
  ])("of %s", (_name, pattern, cut) => {
    fc.assert(
      fc.property(code, (text) => {
        const parts = cut(text);
        expect(parts.join("")).toBe(text);
        expect(parts.flatMap((part) => tokens(part, pattern))).toEqual(tokens(text, pattern));
      }),
      { numRuns: 2000 },
    );
    expect(cut(cutSample).length).toBeGreaterThan(10);
  });

  it("where the sample shows the difference", () => {
    const faults = [
      tokens(cutSample, patterns.gpt2).join("|") ===
        cutAfterLineEnds(cutSample)
          .flatMap((part) => tokens(part, patterns.gpt2))
          .join("|"),
      tokens(cutSample, patterns.qwen2).join("|") ===
        cutBeforeLineEnds(cutSample)
          .flatMap((part) => tokens(part, patterns.qwen2))
          .join("|"),
    ];
    expect(faults).toEqual([false, false]);
  });
});
