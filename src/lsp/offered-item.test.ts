import { describe, expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { decodeInitialize } from "./client-profile.ts";
import { listEntry } from "./offered-item.ts";

const { profile } = decodeInitialize({});

/** The entry for a text at `█`. */
function entryOf(before: string, text: string) {
  const offset = before.indexOf("█");
  const buffer = TextBuffer.from(before.replace("█", ""));
  return listEntry(
    {
      edit: { text, replaceBefore: 0, replaceAfter: 0 },
      ...{ id: "1", requestId: "1", index: 0, uri: "file:///a", version: 1, hasEntry: false },
      ...{ buffer, offset },
    },
    profile,
  );
}

describe("listEntry", () => {
  it("replaces the word before the cursor, in any script", () => {
    for (const [before, word] of [
      ["const total = comp█", "comp"],
      ["x.größe_$1█ + 1", "größe_$1"],
      ["call(█)", ""],
      ["█", ""],
      ["one\n  two█", "two"],
    ] as const) {
      const { filterText, textEdit } = entryOf(before, "abc();");
      const line = (before.split("\n").at(-1) ?? "").indexOf("█");
      expect(filterText).toBe(`${word}abc();`);
      expect(textEdit).toEqual({
        range: {
          start: { line: before.split("\n").length - 1, character: line - word.length },
          end: { line: before.split("\n").length - 1, character: line },
        },
        newText: `${word}abc();`,
      });
    }
  });

  it("of several lines is named by its first and documented by all", () => {
    const text = "f () {\n  go();\n}";
    const { label, documentation, filterText } = entryOf("if█", text);
    expect({ label, documentation, filterText }).toEqual({
      label: "iff () { …",
      documentation: `if${text}`,
      filterText: "iff () {",
    });
  });
});
