import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextBuffer } from "../../base/text-buffer.ts";
import { headDifference } from "./head-difference.ts";
import type { TokenCounter } from "./tokens.ts";
import { estimatedTokenCounter } from "./tokens.ts";
import type { PromptWindow } from "./window.ts";
import { nextWindow } from "./window.ts";

/** Four characters a token: easy to reckon with. */
const quarters: TokenCounter = { count: (text) => Math.ceil(text.length / 4) };

/** Lines of 40 characters, ten tokens each. */
function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `${`line ${i} `.padEnd(39, ".")}\n`).join("");
}

interface Typing {
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly window: PromptWindow;
}

const limits = { prefixTokens: 400, suffixTokens: 160, counter: quarters, keepsSuffix: false };

function open(text: string, offset: number, options: Partial<typeof limits> = {}): Typing {
  const buffer = TextBuffer.from(text);
  return { buffer, offset, window: nextWindow(null, { buffer, offset, ...limits, ...options }) };
}

function type(before: Typing, text: string, options: Partial<typeof limits> = {}): Typing {
  const buffer = before.buffer.edit(before.offset, before.offset, text);
  const offset = before.offset + text.length;
  const window = nextWindow(before.window, { buffer, offset, ...limits, ...options });
  return { buffer, offset, window };
}

describe("nextWindow", () => {
  it("shows a short document whole", () => {
    const { window } = open("const a = 1;\nconst b = ;\n", 23);
    expect([window.prefix, window.suffix]).toEqual(["const a = 1;\nconst b = ", ";\n"]);
  });

  it("cuts a long document at line borders and leaves an eighth free", () => {
    const text = lines(1000);
    const { window } = open(text, 500 * 40);
    expect(window.prefix.startsWith("line ")).toBe(true);
    expect(window.suffix.endsWith("\n")).toBe(true);
    expect(window.prefixTokens).toBeGreaterThanOrEqual(300);
    expect(window.prefixTokens).toBeLessThanOrEqual(350);
    expect(window.suffixTokens).toBeGreaterThanOrEqual(120);
    expect(window.suffixTokens).toBeLessThanOrEqual(140);
  });

  it("keeps both far edges while somebody types, and moves the start by an eighth on overflow", () => {
    let typing = open(lines(1000), 500 * 40);
    const starts = new Set([typing.window.start]);
    const ends = new Set([typing.buffer.length - typing.window.end]);
    let shownTokens = 0;
    for (let key = 0; key < 1600; key++) {
      typing = type(typing, key % 40 === 39 ? "\n" : "x");
      starts.add(typing.window.start);
      ends.add(typing.buffer.length - typing.window.end);
      shownTokens = Math.max(shownTokens, typing.window.prefixTokens);
    }
    // 400 tokens typed, 50 to 100 of them between two moves.
    expect(starts.size).toBeLessThanOrEqual(8);
    expect(ends.size).toBe(1);
    expect(shownTokens).toBeLessThanOrEqual(limits.prefixTokens);
  });

  it("starts at the same line for requests that know nothing of each other", () => {
    const text = lines(1000);
    const starts = Array.from(
      { length: 15 },
      (_, i) => open(text, (501 + i) * 40, { prefixTokens: 1600 }).window.start,
    );
    expect(new Set(starts).size).toBeLessThanOrEqual(2);
  });

  it("finds its start again after an edit above the window", () => {
    const before = open(lines(1000), 500 * 40);
    const buffer = before.buffer.edit(0, 0, "// a new first line\n");
    const offset = before.offset + 20;
    const window = nextWindow(before.window, { buffer, offset, ...limits });
    expect([window.prefix, window.suffix]).toEqual([before.window.prefix, before.window.suffix]);
  });

  it("finds its end again after an edit below the window", () => {
    const before = open(lines(1000), 500 * 40);
    const buffer = before.buffer.edit(before.buffer.length, before.buffer.length, "// the end\n");
    const window = nextWindow(before.window, { buffer, offset: before.offset, ...limits });
    expect([window.prefix, window.suffix]).toEqual([before.window.prefix, before.window.suffix]);
  });

  it("starts anew after a jump", () => {
    const before = open(lines(1000), 500 * 40);
    const offset = 100 * 40;
    const window = nextWindow(before.window, { buffer: before.buffer, offset, ...limits });
    expect(window).toEqual(open(lines(1000), offset).window);
  });

  it("starts anew when the cursor's movement leaves too little", () => {
    const before = open(lines(1000), 500 * 40);
    const offset = before.window.start + 2 * 40;
    const { prefixTokens } = nextWindow(before.window, {
      buffer: before.buffer,
      offset,
      ...limits,
    });
    expect(prefixTokens).toBeGreaterThan(200);
  });

  it("cuts inside a line of 500,000 characters, never inside a character", () => {
    const text = "🚀".repeat(250_000);
    for (const offset of [200_000, 200_002, 300_001 - 1]) {
      const { window } = open(text, offset);
      expect(window.prefix.length).toBeGreaterThan(600);
      expect(window.suffix.length).toBeGreaterThan(200);
      expect(window.prefix + window.suffix).not.toMatch(/\p{Surrogate}/u);
    }
    let typing = open(text, 200_000);
    const { start } = typing.window;
    for (const key of "hello") typing = type(typing, key);
    expect(typing.window.start).toBe(start);
  });

  it("looks at a window's worth of text, whatever the length of the document", () => {
    const looked = (lineCount: number): number => {
      let units = 0;
      const counter = {
        count: (text: string) => {
          units += text.length;
          return quarters.count(text);
        },
      };
      const typing = open(lines(lineCount), (lineCount / 2) * 40, { counter });
      type(typing, "x", { counter });
      return units;
    };
    expect(looked(100_000)).toBeLessThanOrEqual(1.3 * looked(1000));
    expect(looked(1000)).toBeLessThan(20 * (limits.prefixTokens + limits.suffixTokens));
  });

  it("keeps an earlier suffix that hardly differs, where that is asked for", () => {
    const text = `${lines(40)}call(█)\n${lines(20)}`;
    const offset = text.indexOf("█");
    const before = open(text.replace("█", ""), offset, { keepsSuffix: true });
    // The person types over the bracket that the editor had closed.
    const offsetAfter = offset + 1;
    const input = { buffer: before.buffer, offset: offsetAfter, ...limits };
    const kept = nextWindow(before.window, { ...input, keepsSuffix: true });
    expect(kept).toMatchObject({ suffix: before.window.suffix, isSuffixKept: true });
    expect(nextWindow(before.window, input)).toMatchObject({
      suffix: before.window.suffix.slice(1),
      isSuffixKept: false,
    });
    const far = nextWindow(kept, { ...input, offset: offset + 90, keepsSuffix: true });
    expect(far.isSuffixKept).toBe(false);
  });

  it("shows text around the cursor within its limits, after any edits and moves", () => {
    const counter = estimatedTokenCounter({ vocabulary: "small", languageId: "typescript" });
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.constantFrom("\n", "\r\n", "\t\t", "x".repeat(300), "🚀", "return value;\n".repeat(8)),
    );
    const step = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), text: piece });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, keepsSuffix) => {
        let buffer = TextBuffer.from("");
        let window: PromptWindow | null = null;
        for (const { at, text } of steps) {
          const place = Math.floor(at * buffer.length);
          buffer = buffer.edit(place, place, text);
          const offset = place + text.length;
          const input = {
            buffer,
            offset,
            prefixTokens: 60,
            suffixTokens: 30,
            counter,
            keepsSuffix,
          };
          window = nextWindow(window, input);
          expect(window.prefix).toBe(buffer.slice(window.start, offset));
          if (!window.isSuffixKept) expect(window.suffix).toBe(buffer.slice(offset, window.end));
          expect(counter.count(window.prefix)).toBeLessThanOrEqual(60);
          expect(counter.count(window.suffix)).toBeLessThanOrEqual(30);
          expect([window.prefixTokens, window.suffixTokens]).toEqual([
            counter.count(window.prefix),
            counter.count(window.suffix),
          ]);
        }
      }),
    );
  });
});

describe("headDifference", () => {
  it.each([
    ["", "", 0],
    ["a b", "a b", 0],
    ["a b", "", 1],
    ["a b c", "a x c", 0.2],
    [")\n}", "\n}", 1 / 3],
  ])("of %j and %j is %d", (a, b, share) => {
    expect(headDifference(a, b, 50)).toBeCloseTo(share);
  });

  it("does not look past the first tokens", () => {
    expect(headDifference("a a a b", "a a a c", 5)).toBe(0);
  });
});
