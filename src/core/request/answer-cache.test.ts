import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BackendRequest } from "../ports.ts";
import { AnswerCache, answerKey, type ModelAnswer } from "./answer-cache.ts";

const anyRequest: fc.Arbitrary<BackendRequest> = fc.record({
  model: fc.constantFrom("m", "m1", "1:m"),
  maxTokens: fc.constantFrom(1, 11, 48),
  temperature: fc.constantFrom(0, 0.2),
  stop: fc.array(fc.constantFrom("\n", "", "1:", "3:a")),
  prompt: fc.oneof(
    fc.record({
      kind: fc.constant("rendered" as const),
      text: fc.constantFrom("", "a", "1:a1:b"),
      tokens: fc.nat(3),
    }),
    fc.record({
      kind: fc.constant("parts" as const),
      prefix: fc.constantFrom("", "a", "1:a"),
      suffix: fc.constantFrom("", "b", "1:b"),
      tokens: fc.nat(3),
    }),
  ),
});

/** What decides the answer; the token count is an estimate and decides nothing. */
const essence = ({ prompt, ...rest }: BackendRequest): unknown => ({
  ...rest,
  texts: prompt.kind === "rendered" ? [prompt.text] : [prompt.prefix, prompt.suffix],
});

const answer = (text: string): ModelAnswer => ({ text, finishReason: "stop", scores: [] });

describe("answer cache", () => {
  test("two questions have one key exactly when they are the same question", () => {
    const rule = fc.constantFrom("line", "block");
    fc.assert(
      fc.property(anyRequest, rule, anyRequest, rule, (a, ruleA, b, ruleB) => {
        const same = JSON.stringify([essence(a), ruleA]) === JSON.stringify([essence(b), ruleB]);
        expect(answerKey(a, ruleA) === answerKey(b, ruleB)).toBe(same);
        expect(answerKey(a, ruleA)).toBe(answerKey(structuredClone(a), ruleA));
      }),
      { numRuns: 2_000 },
    );
  });

  test("an answer is found again, an empty one too", () => {
    const cache = new AnswerCache();
    cache.put("a", answer("x"));
    cache.put("b", answer(""));
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([
      answer("x"),
      answer(""),
      null,
    ]);
    cache.clear();
    expect([cache.get("a"), cache.size]).toEqual([null, 0]);
  });

  test("an answer at the token limit is kept, one that the time limit cut is not", () => {
    const cache = new AnswerCache();
    cache.put("a", { text: "x", finishReason: "length", scores: [] });
    cache.put("b", { text: "x", finishReason: "timeout", scores: [] });
    expect([cache.get("a")?.text, cache.get("b")]).toEqual(["x", null]);
  });

  test("entries and characters are bounded; what was used last stays", () => {
    const byEntries = new AnswerCache({ maxEntries: 2, maxChars: 1_000 });
    for (const key of ["a", "b"]) byEntries.put(key, answer("x"));
    byEntries.get("a");
    byEntries.put("c", answer("x"));
    expect(["a", "b", "c"].map((key) => byEntries.get(key)?.text)).toEqual(["x", undefined, "x"]);
    const byChars = new AnswerCache({ maxEntries: 100, maxChars: 25 });
    for (const key of ["a", "b", "c"]) byChars.put(key, answer("123456789"));
    expect(["a", "b", "c"].map((key) => byChars.get(key) !== null)).toEqual([false, true, true]);
  });

  test("whatever is typed, deleted and typed again, no question is asked twice", () => {
    const request = (text: string): BackendRequest => ({
      model: "m",
      prompt: { kind: "rendered", text, tokens: 1 },
      maxTokens: 48,
      temperature: 0,
      stop: [],
    });
    const key = fc.constantFrom("a", "b", "delete");
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
        const cache = new AnswerCache();
        const asked: string[] = [];
        let text = "";
        for (const pressed of keys) {
          text = pressed === "delete" ? text.slice(0, -1) : text + pressed;
          const question = answerKey(request(text), "line");
          if (cache.get(question) !== null) continue;
          asked.push(question);
          cache.put(question, answer(text));
        }
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });
});
