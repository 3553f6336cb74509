import { expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { promptBudget, promptTokenCounter, resolveFormat } from "../core/index.ts";
import { slidingWindow } from "./sliding-window.ts";
import { type WindowAnswer, windowQuality } from "./window-answers.ts";

const format = resolveFormat({
  ...{ model: "starcoder2", backendKind: "llama.cpp", override: "starcoder2" },
});

it("a sliding window is filled to the token on both sides of the cursor", () => {
  const text = Array.from({ length: 400 }, (_, i) => `const value${i} = ${i};\n`).join("");
  const buffer = TextBuffer.from(text);
  const counter = promptTokenCounter(format, "typescript");
  const budget = promptBudget({ contextTokens: 448, outputTokens: 48 });
  const offset = text.indexOf("const value200");
  const { prefix, suffix } = slidingWindow(buffer, offset, { budget, counter });
  expect(text.slice(0, offset).endsWith(prefix)).toBe(true);
  expect(text.slice(offset).startsWith(suffix)).toBe(true);
  expect(counter.count(prefix)).toBeLessThanOrEqual(budget.prefixTokens);
  expect(counter.count(text.slice(offset - prefix.length - 4, offset))).toBeGreaterThan(
    budget.prefixTokens,
  );
  expect(counter.count(suffix)).toBeLessThanOrEqual(budget.suffixTokens);
  expect(counter.count(text.slice(offset).slice(0, suffix.length + 4))).toBeGreaterThan(
    budget.suffixTokens,
  );
  const whole = slidingWindow(TextBuffer.from("a\nb\n"), 2, { budget, counter });
  expect(whole).toEqual({ prefix: "a\n", suffix: "b\n" });
});

it("both windows are held against each other on the same cursors", () => {
  const answer: WindowAnswer = {
    ...{ package: "one", path: "a.ts", offset: 1, target: "ab" },
    ...{ anchored: "ab ", sliding: "ab", differs: false },
  };
  const wrong = { ...answer, path: "b.ts", sliding: "ax", differs: true };
  expect(windowQuality("all", [answer, wrong])).toMatchObject({
    ...{ cursors: 2, differing: 1, changed: 1 },
    anchored: { exactMatch: 1, similarity: 1 },
    sliding: { exactMatch: 0.5, similarity: 0.75 },
    matchGain: { difference: -0.5 },
    similarityGain: { difference: -0.25 },
  });
});
