import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { positionOfOffset } from "./position.ts";
import { TextDocument } from "./text-document.ts";

const texts = fc
  .array(fc.constantFrom("a", "bc", "\n", "\r\n", "ß", "🚀", "漢", " "), { maxLength: 40 })
  .map((parts) => parts.join(""));

/** Offsets that stand between characters. */
function borders(text: string): number[] {
  let offset = 0;
  const found = [0];
  for (const character of text) {
    offset += character.length;
    found.push(offset);
  }
  // A line end is one character for an editor.
  return found.filter((at) => !(text[at - 1] === "\r" && text[at] === "\n"));
}

function opened(text: string, version: number = 1): TextDocument {
  return new TextDocument({ uri: "file:///a", languageId: "", version, text });
}

describe("TextDocument", () => {
  it("holds what its client holds after any changes, in every encoding", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(), texts), { minLength: 1, maxLength: 5 });
    const encodings = fc.constantFrom("utf-16", "utf-8", "utf-32" as const);
    fc.assert(
      fc.property(texts, changes, encodings, (before, drawn, encoding) => {
        const document = opened(before);
        let text = before;
        const sent = drawn.map(([a, b, inserted]) => {
          const places = borders(text);
          const [start = 0, end = 0] = [a, b]
            .map((at) => places[at % places.length] ?? 0)
            .sort((one, other) => one - other);
          const { buffer } = opened(text);
          const range = {
            start: positionOfOffset(buffer, start, encoding),
            end: positionOfOffset(buffer, end, encoding),
          };
          text = text.slice(0, start) + inserted + text.slice(end);
          return { range, text: inserted };
        });
        const edits = document.change(2, sent, encoding);
        expect(document.buffer.toString()).toBe(text);
        let replayed = before;
        for (const edit of edits ?? []) {
          replayed = replayed.slice(0, edit.start) + edit.text + replayed.slice(edit.end);
        }
        expect(replayed).toBe(text);
      }),
    );
  });

  it("takes a whole text as the one edit that makes it", () => {
    const document = opened("one\ntwo\nthree\n");
    const edits = document.change(2, [{ range: null, text: "one\n2\nthree\n" }], "utf-16");
    expect(edits).toEqual([{ start: 4, end: 7, text: "2" }]);
    expect(document.version).toBe(2);
  });

  it("is out of step after an older version or a reversed range, until the whole text comes", () => {
    const range = { start: { line: 0, character: 2 }, end: { line: 0, character: 1 } };
    for (const [version, changes] of [
      [5, [{ range: null, text: "x" }]],
      [6, [{ range, text: "x" }]],
    ] as const) {
      const document = opened("text", 5);
      expect(document.change(version, changes, "utf-16")).toBe(null);
      expect([document.isOutOfStep, document.buffer.toString()]).toEqual([true, "text"]);
      const insert = { start: range.end, end: range.end };
      expect(document.change(7, [{ range: insert, text: "y" }], "utf-16")).toBe(null);
      expect(document.change(8, [{ range: null, text: "new" }], "utf-16")).not.toBe(null);
      expect([document.isOutOfStep, document.buffer.toString()]).toEqual([false, "new"]);
    }
  });
});
