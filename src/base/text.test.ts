import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  commonPrefixLength,
  commonSuffixLength,
  indentOf,
  isBlank,
  isWordCode,
  splitsPair,
  withoutLineEnd,
} from "./text.ts";

const unit = fc.constantFrom("a", "b", " ", "\n", "\r", "🚀", "🚁", "\ud83d", "\ude80");
const anyText = fc.oneof(fc.string({ unit, maxLength: 12 }), fc.string({ unit: "binary" }));

describe("text", () => {
  test("the common prefix is common, longest, and splits no character", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (head, x, y) => {
        const [a, b] = [head + x, head + y];
        const length = commonPrefixLength(a, b);
        expect(a.slice(0, length)).toBe(b.slice(0, length));
        expect(splitsPair(a, length) || splitsPair(b, length)).toBe(false);
        // One unit more is either different or half a character.
        const more = length + 1;
        if (more <= Math.min(a.length, b.length) && a[length] === b[length]) {
          expect(splitsPair(a, more) || splitsPair(b, more)).toBe(true);
        }
        expect(length).toBe(commonPrefixLength(b, a));
      }),
    );
  });

  test("the common suffix is the common prefix of the mirrored texts", () => {
    const mirrored = (text: string): string => [...text].reverse().join("");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.string(), (tail, x, y) => {
        const [a, b] = [x + tail, y + tail];
        expect(commonSuffixLength(a, b)).toBe(commonPrefixLength(mirrored(a), mirrored(b)));
      }),
    );
  });

  test("long texts differ where they differ", () => {
    const text = "0123456789abcdef".repeat(1_000);
    for (const at of [0, 1, 2_047, 2_048, 2_049, 9_999, 15_999]) {
      const changed = `${text.slice(0, at)}#${text.slice(at + 1)}`;
      expect(commonPrefixLength(text, changed)).toBe(at);
      expect(commonSuffixLength(text, changed)).toBe(text.length - at - 1);
    }
    expect(commonPrefixLength(text, `${text}x`)).toBe(text.length);
    expect(commonSuffixLength(`x${text}`, text)).toBe(text.length);
  });

  test("half a character is never shared", () => {
    expect(commonPrefixLength("a🚀", "a🚁")).toBe(1);
    expect(commonPrefixLength("a\ud83d", "a🚀")).toBe(1);
    expect(commonPrefixLength("a\ud83dx", "a\ud83dy")).toBe(2);
    expect(commonSuffixLength("\ud83d\ude80z", "\ud83c\ude80z")).toBe(1);
    expect(commonSuffixLength("\ude80z", "🚀z")).toBe(1);
    expect(commonSuffixLength("🚀z", "🚀z")).toBe(3);
  });

  test("a line end is cut once, whichever it is", () => {
    expect(["a\r\n", "a\n", "a\r", "a"].map(withoutLineEnd)).toEqual(["a", "a", "a", "a"]);
  });

  test("indentation is spaces and tabs at the start", () => {
    expect([" \t x ", "x", "", "\u00a0x", "  \n"].map(indentOf)).toEqual([
      " \t ",
      "",
      "",
      "",
      "  ",
    ]);
    expect(["", " \t\r\n", " x"].map(isBlank)).toEqual([true, true, false]);
  });

  test("word characters are letters, digits, _, $ and what lies outside ASCII", () => {
    const isWord = (text: string): boolean => isWordCode(text.charCodeAt(0));
    expect([..."aZ09_$éß寸"].every(isWord)).toBe(true);
    expect([..." -.(\"'`@#\n\u2028\ufeff"].some(isWord)).toBe(false);
  });
});
