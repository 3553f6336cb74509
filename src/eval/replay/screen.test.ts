import { expect, test } from "vitest";
import { TextBuffer } from "../../base/text-buffer.ts";
import { Screen } from "./screen.ts";

function insertion(text: string): { text: string; replaceBefore: number; replaceAfter: number } {
  return { text, replaceBefore: 0, replaceAfter: 0 };
}

function at(text: string): { buffer: TextBuffer; cursor: number } {
  return { buffer: TextBuffer.from(text), cursor: text.length };
}

test("a text that is typed along stays the same text", () => {
  const screen = new Screen();
  expect(screen.answered(insertion("one();"), at("x = "), 0)).toBe(true);
  screen.typed("o", 100);
  expect(screen.answered(insertion("ne();"), at("x = o"), 110)).toBe(false);
  expect(screen.text?.sinceMs).toBe(0);
  screen.typed("n", 900);
  screen.answered(insertion("e();"), at("x = on"), 910);
  screen.close(1_000);
  expect(screen.counts).toEqual({
    shown: 1,
    shownUnits: 6,
    seen: 1,
    accepted: 0,
    partlyAccepted: 0,
    agreedKeys: 2,
    flickers: 0,
  });
});

test("another text, or none, after a key that agreed is flicker", () => {
  const screen = new Screen();
  screen.answered(insertion("one();"), at("x = "), 0);
  screen.typed("o", 10);
  screen.answered(insertion("ther();"), at("x = o"), 20);
  screen.typed("t", 30);
  screen.answered(null, at("x = ot"), 40);
  expect(screen.counts).toMatchObject({ shown: 2, seen: 0, agreedKeys: 2, flickers: 2 });
});

test("a key that disagrees ends the text without flicker", () => {
  const screen = new Screen();
  screen.answered(insertion("one();"), at("x = "), 0);
  screen.typed("t", 800);
  screen.answered(insertion("wo();"), at("x = t"), 810);
  expect(screen.counts).toMatchObject({ shown: 2, seen: 1, agreedKeys: 0, flickers: 0 });
});

test("what is left after a part was taken is the same text, seen once", () => {
  const screen = new Screen();
  screen.answered(insertion("one(two);"), at("x = "), 0);
  screen.accepted("part");
  screen.took(insertion("one"));
  expect(screen.answered(insertion("(two);"), at("x = one"), 20)).toBe(false);
  screen.close(5_000);
  expect(screen.counts).toMatchObject({ shown: 1, seen: 1, partlyAccepted: 1, flickers: 0 });
});
