import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minimalEdit } from "./diff-edit.ts";
import { commonPrefixLength, commonSuffixLength } from "./text.ts";
import { TextBuffer, type TextEdit } from "./text-buffer.ts";

function naiveEdit(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const start = commonPrefixLength(before, after);
  const tail = commonSuffixLength(before.slice(start), after.slice(start));
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

const unit = fc.constantFrom("a", "b", "\n", "\r\n", "🚀", "🚁", "\ud83d", "\ude80");
const anyText = fc.string({ unit, maxLength: 30 });
const manyLines = fc
  .tuple(anyText, fc.integer({ min: 0, max: 300 }), anyText)
  .map(([head, lines, tail]) => head + "ab\n".repeat(lines) + tail);

describe("minimal edit", () => {
  test("finds what comparing the whole texts finds, wherever the cursor is", () => {
    fc.assert(
      fc.property(manyLines, fc.nat(), fc.nat(), anyText, fc.nat(), (before, a, b, text, c) => {
        const [start, end] = [a % (before.length + 1), b % (before.length + 1)].sort(
          (x, y) => x - y,
        ) as [number, number];
        const after = before.slice(0, start) + text + before.slice(end);
        const cursor = c % (after.length + 1);
        const buffer = TextBuffer.from(before);
        const edit = minimalEdit(buffer, after.slice(0, cursor), after.slice(cursor));
        expect(edit).toEqual(naiveEdit(before, after));
        if (edit === null) expect(after).toBe(before);
        else expect(buffer.edit(edit.start, edit.end, edit.text).toString()).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  test("finds the edit between unrelated texts", () => {
    fc.assert(
      fc.property(manyLines, manyLines, (before, after) => {
        expect(minimalEdit(TextBuffer.from(before), after, "")).toEqual(naiveEdit(before, after));
        expect(minimalEdit(TextBuffer.from(before), "", after)).toEqual(naiveEdit(before, after));
      }),
    );
  });

  test("a key press in a long text is one short edit", () => {
    const before = "const value = compute();\n".repeat(16_000);
    const at = 200_003;
    const edit = minimalEdit(TextBuffer.from(before), `${before.slice(0, at)}x`, before.slice(at));
    expect(edit).toEqual({ start: at, end: at, text: "x" });
  });
});
