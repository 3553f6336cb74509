import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextBuffer } from "./text-buffer.ts";

/** The same questions answered on a plain string, the slow and obvious way. */
const plain = {
  lines: (text: string): string[] => {
    const lines = text.split("\n");
    return lines.map((line, i) => (i + 1 < lines.length ? `${line}\n` : line));
  },
  positionAt: (text: string, offset: number) => {
    const before = text.slice(0, offset);
    return {
      line: before.split("\n").length - 1,
      column: offset - (before.lastIndexOf("\n") + 1),
    };
  },
};

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\r\n", "\r", "🚀", "é", "\ud83d") }),
  fc.string({ unit: "binary" }),
);
const longText = fc
  .tuple(anyText, fc.integer({ min: 0, max: 400 }))
  .map(([text, times]) => `${text}\n`.repeat(times) + text);

function expectSame(buffer: TextBuffer, text: string): void {
  expect(buffer.toString()).toBe(text);
  expect(buffer.length).toBe(text.length);
  expect(buffer.lineCount).toBe(plain.lines(text).length);
}

function expectInvariants(buffer: TextBuffer): void {
  let offset = 0;
  buffer.blocks.forEach((block, i) => {
    const isLast = i === buffer.blocks.length - 1;
    expect(buffer.blockOffset(i)).toBe(offset);
    expect(isLast || block.text.endsWith("\n")).toBe(true);
    const lines = plain.lines(block.text);
    if (!isLast) lines.pop();
    const starts = lines.map((_, k) => lines.slice(0, k).join("").length);
    expect(block.lineStarts).toEqual(starts);
    expect(lines.length).toBeLessThanOrEqual(128);
    if (lines.length > 1) expect(block.text.length).toBeLessThanOrEqual(8192);
    offset += block.text.length;
  });
}

describe("text buffer", () => {
  test("answers every question as a plain string does, after any edits", () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.oneof(anyText, longText)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(longText, edits, fc.nat(), fc.nat(), (initial, list, x, y) => {
        let text = initial;
        let buffer = TextBuffer.from(text);
        expectSame(buffer, text);
        for (const [a, b, inserted] of list) {
          const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((m, n) => m - n);
          buffer = buffer.edit(start as number, end as number, inserted);
          text = text.slice(0, start) + inserted + text.slice(end);
          expectSame(buffer, text);
        }
        expectInvariants(buffer);
        const first = TextBuffer.from(initial);
        const atOnce = first.editEach(list, (now, [a, b, inserted]) => {
          const [start = 0, end = 0] = [a % (now.length + 1), b % (now.length + 1)].sort(
            (m, n) => m - n,
          );
          return { start, end, text: inserted };
        });
        expect(atOnce.blocks).toEqual(buffer.blocks);
        expectInvariants(atOnce);
        expectSame(first, initial);
        const lines = plain.lines(text);
        const line = x % lines.length;
        expect(buffer.lineAt(line)).toBe(lines[line]);
        expect(buffer.lineStart(line)).toBe(lines.slice(0, line).join("").length);
        const [start, end] = [x % (text.length + 1), y % (text.length + 1)];
        expect(buffer.slice(start, end)).toBe(start < end ? text.slice(start, end) : "");
        const position = buffer.positionAt(start);
        expect(position).toEqual(plain.positionAt(text, start));
        const insideLineEnd = text.slice(start - 1, start + 1) === "\r\n" && start > 0;
        expect(buffer.offsetAt(position)).toBe(insideLineEnd ? start - 1 : start);
      }),
      { numRuns: 300 },
    );
  });

  test("an edit shares all blocks that it does not touch", () => {
    const buffer = TextBuffer.from("let value = compute(1, 2);\n".repeat(10_000));
    const offset = buffer.lineStart(5_000) + 4;
    const edited = buffer.edit(offset, offset, "x");
    const before = new Set(buffer.blocks);
    expect(edited.blocks.filter((block) => !before.has(block))).toHaveLength(1);
    const cut = buffer.edit(buffer.lineStart(100), buffer.lineStart(9_900), "");
    expect(cut.blocks.filter((block) => !before.has(block)).length).toBeLessThanOrEqual(4);
  });

  test("deleting up to a border leaves the block behind the border alone", () => {
    const buffer = TextBuffer.from("some line of text\n".repeat(1_000));
    const border = buffer.blockOffset(3);
    const edited = buffer.edit(border - 18, border, "");
    expect(edited.blocks[3]).toBe(buffer.blocks[3]);
  });

  test("blocks stay bounded in size and number over 10,000 random edits", () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return Math.floor((seed / 0x80000000) * below);
    };
    const inserted = ["x", "\n", "a line\n", "", "y = 1;\n".repeat(200), "z".repeat(600), "\n\n\n"];
    let buffer = TextBuffer.from("const a = 1;\n".repeat(5_000));
    for (let i = 0; i < 10_000; i++) {
      const start = random(buffer.length + 1);
      const most = i % 100 === 0 ? 20_000 : 40;
      const end = Math.min(buffer.length, start + random(most));
      buffer = buffer.edit(start, end, inserted[random(inserted.length)] as string);
      if (i % 2_000 === 0) expectInvariants(buffer);
      expect(buffer.blocks.length).toBeLessThan(
        8 + buffer.lineCount / 16 + (2 * buffer.length) / 512,
      );
    }
    expectInvariants(buffer);
    expectSame(TextBuffer.from(buffer.toString()), buffer.toString());
  });

  test("emptying a long text line by line leaves few blocks", () => {
    let buffer = TextBuffer.from("short\n".repeat(4_000));
    // Three of four lines go, from every block.
    for (let line = buffer.lineCount - 1; line >= 0; line--) {
      if (line % 4 === 0 || line + 1 === buffer.lineCount) continue;
      buffer = buffer.edit(buffer.lineStart(line), buffer.lineStart(line + 1), "");
    }
    expect(buffer.lineCount).toBe(1_001);
    expect(buffer.blocks.length).toBeLessThanOrEqual(1_001 / 16 + 1);
  });

  test("positions outside the text are clamped as editors clamp them", () => {
    const buffer = TextBuffer.from("one\r\ntwo\n");
    const at = (line: number, column: number) => buffer.offsetAt({ line, column });
    expect([at(0, 99), at(1, 99), at(2, 5), at(9, 0), at(-1, 5), at(1, -3)]).toEqual([
      3, 8, 9, 9, 0, 5,
    ]);
  });

  test("offsets outside the text are the caller's fault", () => {
    const buffer = TextBuffer.from("abc");
    for (const bad of [-1, 4, 1.5, Number.NaN]) {
      expect(() => buffer.positionAt(bad)).toThrow(RangeError);
      expect(() => buffer.slice(0, bad)).toThrow(RangeError);
      expect(() => buffer.edit(bad, 3, "")).toThrow(RangeError);
      expect(() => buffer.lineAt(bad)).toThrow(RangeError);
    }
    expect(() => buffer.edit(2, 1, "")).toThrow(RangeError);
  });

  test("an edit that changes nothing gives the same buffer", () => {
    const buffer = TextBuffer.from("abc");
    expect(buffer.edit(1, 1, "")).toBe(buffer);
  });

  test("takes more blocks at once than a call takes arguments", () => {
    const lines = 64 * 140_000;
    const buffer = TextBuffer.from("a\nb\n").edit(2, 2, "\n".repeat(lines));
    expect([buffer.lineCount, buffer.lineAt(lines + 1)]).toEqual([lines + 3, "b\n"]);
    expect(buffer.blocks.length).toBeGreaterThan(130_000);
  });

  test("copies the references of a long text once for many edits", () => {
    const line = `${"x".repeat(99)}\n`;
    const buffer = TextBuffer.from(line.repeat(40_000));
    const spans = Array.from({ length: 1_000 }, (_, i) => ({
      start: i * 4_000,
      end: i * 4_000 + 1,
      text: "y",
    }));
    const seen = new Set<readonly unknown[]>();
    const after = buffer.editEach(spans, (now, edit) => {
      seen.add(now.blocks);
      return edit;
    });
    expect([seen.size, seen.has(after.blocks)]).toEqual([1, true]);
    expect(after.slice(4_000, 4_003)).toBe("yxx");
  });
});
