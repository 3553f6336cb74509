import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CursorEdit } from "../../../core/index.ts";
import { replacementFor } from "./ghost-item.ts";

/** `foo(█)` and an edit: the line after the editor's replacement. */
function lineAfter(marked: string, edit: CursorEdit): string {
  const column = marked.indexOf("█") + 1;
  const text = marked.replace("█", "");
  const { insertText, range } = replacementFor(edit, { lineNumber: 7, column, text });
  expect([range.startLineNumber, range.endLineNumber]).toEqual([7, 7]);
  return text.slice(0, range.startColumn - 1) + insertText + text.slice(range.endColumn - 1);
}

describe("the replacement of a ghost text", () => {
  it("covers the closer that the text repeats", () => {
    const edit = { text: "a, b)", replaceBefore: 0, replaceAfter: 1 };
    expect(lineAfter("foo(█);", edit)).toBe("foo(a, b);");
    const line = { lineNumber: 1, column: 5, text: "foo();" };
    expect(replacementFor(edit, line).range).toMatchObject({ startColumn: 1, endColumn: 6 });
  });

  it("takes blanks left of the cursor away", () => {
    const edit = { text: "}", replaceBefore: 2, replaceAfter: 0 };
    expect(lineAfter("    █", edit)).toBe("  }");
  });

  it("reaches the line's end when the text has several lines", () => {
    const edit = { text: "{\n  run();\n}", replaceBefore: 0, replaceAfter: 0 };
    const line = { lineNumber: 1, column: 4, text: "if ; // why" };
    expect(replacementFor(edit, line).range.endColumn).toBe(line.text.length + 1);
    expect(lineAfter("if █; // why", edit)).toBe("if {\n  run();\n}; // why");
  });

  it("leads to the document that the edit describes, whatever the text", () => {
    const line = fc.string({ unit: fc.constantFrom("a", " ", "(", ")", "é") });
    fc.assert(
      fc.property(line, line, fc.string(), fc.nat(4), fc.nat(4), (before, after, text, b, a) => {
        const replaceBefore = Math.min(b, before.length);
        const replaceAfter = Math.min(a, after.length);
        const expected =
          before.slice(0, before.length - replaceBefore) + text + after.slice(replaceAfter);
        expect(lineAfter(`${before}█${after}`, { text, replaceBefore, replaceAfter })).toBe(
          expected,
        );
      }),
    );
  });
});
