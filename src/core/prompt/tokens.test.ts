import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCases, sectionOf } from "../../testing/case-file.ts";
import type { VocabularySize } from "./tokens.ts";
import {
  countTokenFeatures,
  estimatedTokenCounter,
  nextLineStart,
  tokenFeatures,
} from "./tokens.ts";

/** Counts of real vocabularies, of which each size must cover the greatest. */
const members: Readonly<Record<VocabularySize, readonly string[]>> = {
  large: ["qwen", "deepseek3"],
  small: ["llama2", "smol"],
};
const cases = readCases(join(import.meta.dirname, "../../../test/cases/tokens"));

describe.each(["large", "small"] as const)("the estimate for a %s vocabulary", (vocabulary) => {
  it.each(cases.map((file) => [file.title, file] as const))("%s", (_, file) => {
    const languageId = sectionOf(file, "language") ?? "";
    const truth: Record<string, number> = JSON.parse(sectionOf(file, "tokens") ?? "{}");
    const tokens = Math.max(...members[vocabulary].map((name) => truth[name] ?? 0));
    const estimate = estimatedTokenCounter({ vocabulary, languageId }).count(
      sectionOf(file, "text") ?? "",
    );
    expect(estimate / tokens).toBeGreaterThan(0.95);
    expect(estimate / tokens).toBeLessThan(1.4);
  });
});

describe("the estimate", () => {
  const counter = estimatedTokenCounter({ vocabulary: "small", languageId: "typescript" });

  it("is 0 for nothing and above 0 for anything else", () => {
    expect(counter.count("")).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => counter.count(text) > 0),
    );
  });

  it("sums up to no less in pieces than as a whole, for pieces that are lines", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, ""));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const whole = counter.count(lines.map((text) => `${text}\n`).join(""));
        const pieces = lines.reduce((sum, text) => sum + counter.count(`${text}\n`), 0);
        return whole <= pieces;
      }),
    );
  });

  it("takes the factor of a relative, and the greatest for a language it does not know", () => {
    const text = "const area = (w: number, h: number): number => w * h;\n".repeat(40);
    const count = (languageId: string): number =>
      estimatedTokenCounter({ vocabulary: "large", languageId }).count(text);
    expect(count("typescriptreact")).toBe(count("typescript"));
    expect(count("brainfuck")).toBeGreaterThanOrEqual(count("typescript"));
  });

  it("cuts words at case changes and counts what stands beside them", () => {
    const counts = countTokenFeatures("getHTMLElement2 =>\n\n  \tx ( é漢🚀");
    const named = Object.fromEntries(
      tokenFeatures.map((name, i) => [name, counts[i]] as const).filter(([, count]) => count !== 0),
    );
    expect(named).toEqual({
      word: 3,
      wordAbove5: 2,
      capitals: 1,
      capitalsAbove2: 2,
      digit: 1,
      marks: 2,
      marksAbove1: 1,
      lineEnds: 1,
      lineEndsAbove1: 1,
      blanks: 1,
      tab: 1,
      joined: 2,
      twoByte: 1,
      threeByte: 1,
      fourByte: 1,
    });
  });
});

describe("lines", () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom("\n", "\r\n", "\r", " ", "\t", "aB1", "😀"), fc.string()))
    .map((parts) => parts.join(""));

  it("have features that add up to those of the text", () => {
    fc.assert(
      fc.property(text, (text) => {
        const sum = new Float64Array(tokenFeatures.length);
        for (let start = 0; start < text.length; ) {
          const end = nextLineStart(text, start);
          expect(end).toBeGreaterThan(start);
          countTokenFeatures(text.slice(start, end)).forEach((value, i) => {
            sum[i] = (sum[i] as number) + value;
          });
          start = end;
        }
        expect(sum).toEqual(countTokenFeatures(text));
      }),
    );
  });

  it("count the same whether they were counted before or not", () => {
    const counter = estimatedTokenCounter({ vocabulary: "large", languageId: "typescript" });
    const line = (i: number): string => `const value${i} = load(${i}, "${"x".repeat(i % 300)}");\n`;
    const once = Array.from({ length: 10_000 }, (_, i) => counter.count(line(i)));
    const again = Array.from({ length: 10_000 }, (_, i) => counter.count(line(9_999 - i)));
    expect(again.reverse()).toEqual(once);
  });
});
