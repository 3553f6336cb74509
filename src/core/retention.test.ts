import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { movedOffset, type Retention, retentionOf } from "./retention.ts";

const text = "const total = items.reduce((sum, item) => sum + item.price, 0);";

function left(document: string, anchor = 0, accepted = text): Retention {
  return retentionOf(TextBuffer.from(document), { text: accepted, anchor });
}

describe("an accepted text is present", () => {
  test("as it was, at its place and where it was moved to", () => {
    const same = { charDiff: 0, lexDiff: 0, present: true };
    expect(left(`a\n${text}\nb`, 2)).toEqual(same);
    expect(left(`a\n${text}\nb`, 40)).toEqual(same);
    expect(left(`${"// far\n".repeat(100)}${text}\n`, 2)).toEqual(same);
    expect(left(`a\r\n  ${text}\r\n`, 5, `${text}\n`)).toMatchObject({
      lexDiff: 0,
      present: true,
    });
  });

  test("while at most half of its words changed", () => {
    // One of 23 words and marks, 5 of 63 characters.
    expect(left(text.replace("total", "price"), 0)).toEqual({
      charDiff: 0.079,
      lexDiff: 0.043,
      present: true,
    });
    expect(left("const total = 0;", 0)).toMatchObject({ present: false });
  });

  test("not where it is too far away, deleted, or nothing but blanks", () => {
    const gone = { charDiff: 1, lexDiff: 1, present: false };
    expect(left(`${"x\n".repeat(2_000)}${text}`, 0)).toEqual(gone);
    expect(left("", 0)).toEqual(gone);
    expect(left("   \n", 0, "  \n")).toEqual(gone);
  });

  test("whatever the document, with shares between nothing and all", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(200), fc.string(), (document, anchor, accepted) => {
        const { charDiff, lexDiff, present } = left(document, anchor, accepted);
        expect(0 <= charDiff && charDiff <= 1 && 0 <= lexDiff && lexDiff <= 1).toBe(true);
        expect(present).toBe(lexDiff <= 0.5);
      }),
    );
  });
});

describe("an offset moves with edits", () => {
  test.each([
    ["before it", { start: 0, end: 2, text: "abcd" }, 12],
    ["right at it, which come after it", { start: 10, end: 10, text: "abcd" }, 10],
    ["behind it", { start: 11, end: 12, text: "" }, 10],
    ["around it", { start: 5, end: 20, text: "ab" }, 7],
    ["of its whole line", { start: 5, end: 10, text: "12345 and more" }, 10],
  ])("%s", (_name, edit, expected) => {
    expect(movedOffset(10, edit)).toBe(expected);
  });
});
