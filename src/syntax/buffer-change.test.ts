import fc from "fast-check";
import { expect, test } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { bufferChange } from "./buffer-change.ts";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "ab", "\r\n", "\u{1f600}", "longer line\n"), {
    maxLength: 80,
  })
  .map((pieces) => pieces.join(""));

test("the change turns the older text into the newer one, and is null for equal texts", () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.nat(40),
      text,
      fc.boolean(),
      (start, at, length, put, isShared) => {
        const before = TextBuffer.from(start);
        const from = at % (before.length + 1);
        const edited = before.edit(from, Math.min(before.length, from + length), put);
        const after = isShared ? edited : TextBuffer.from(edited.toString());
        const change = bufferChange(before, after);
        const now = after.toString();
        if (change === null) {
          expect(now).toBe(start);
          return;
        }
        const middle = now.slice(change.start, change.newEnd);
        expect(start.slice(0, change.start) + middle + start.slice(change.oldEnd)).toBe(now);
        expect(now).not.toBe(start);
      },
    ),
  );
});
