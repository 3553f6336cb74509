import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitsPair } from "../../base/text.ts";
import { TextBuffer } from "../../base/text-buffer.ts";
import { applyEdit, brokenLaw } from "../cursor-edit.ts";
import type { CursorEdit } from "../types.ts";
import { viewAt } from "./cursor-view.ts";
import { type AnswerRing, mayStillFit, recall, remainingEdit, remember } from "./reuse.ts";

/** `a█b`: a document with its cursor. */
function parse(marked: string) {
  const offset = marked.indexOf("█");
  const text = marked.replace("█", "");
  return {
    around: { prefix: text.slice(0, offset), suffix: text.slice(offset) },
    view: viewAt(TextBuffer.from(text), offset),
  };
}

function editOf(text: string, replaceBefore = 0, replaceAfter = 0): CursorEdit {
  return { text, replaceBefore, replaceAfter };
}

/** The rest of an answer, checked: lawful, and leading to the same document. */
function rest(then: string, edit: CursorEdit, now: string): CursorEdit | null {
  const [before, after] = [parse(then), parse(now)];
  const left = remainingEdit(before.view, edit, after.view);
  if (left === null) return null;
  const normal = (text: string): string => text.replaceAll("\r\n", "\n");
  expect(normal(applyEdit(after.around, left))).toBe(normal(applyEdit(before.around, edit)));
  expect(brokenLaw(after.around, left)).toBeNull();
  return left;
}

describe("type-through", () => {
  test.each<[string, string, CursorEdit, string, CursorEdit | null]>([
    ["nothing typed", "a = █;", editOf("foo(1)"), "a = █;", editOf("foo(1)")],
    ["several characters", "a = █\n", editOf("foo(1);"), "a = foo(█\n", editOf("1);")],
    ["another character", "a = █\n", editOf("foo(1);"), "a = fx█\n", null],
    ["all of it", "a = █\n", editOf("foo"), "a = foo█\n", null],
    ["more than it", "a = █\n", editOf("foo"), "a = food█\n", null],
    ["a word taken over", "return █\n", editOf("a.b.c;"), "return a.b█\n", editOf(".c;")],
    ["a typed line end", "f() {█\n", editOf("\n  g();\n}"), "f() {\n█\n", editOf("  g();\n}")],
    ["auto-indentation", "f() {█\n", editOf("\n  g();\n}"), "f() {\n  █\n", editOf("g();\n}")],
    ["less of it", "f() {█\n", editOf("\n    g();\n}"), "f() {\n  █\n", editOf("  g();\n}")],
    ["more of it", "█\n", editOf("g();\n}"), "g();\n    █\n", editOf("}", 4)],
    ["tabs for it", "{█\n", editOf("\n  g();"), "{\n\tg█\n", editOf("  g();", 2)],
    ["blanks of one's own", "  █\n", editOf("g();"), "    █\n", null],
    ["a closer put in", "█\n", editOf("foo(a);"), "foo(█)\n", editOf("a);", 0, 1)],
    ["two closers put in", "█\n", editOf('f(["x"]);'), 'f(["█"])\n', editOf('x"]);', 0, 3)],
    ["a closer typed over", "█\n", editOf("foo(a);"), "foo(a)█\n", editOf(";")],
    ["only the closer is left", "█\n", editOf("foo(a)"), "foo(a█)\n", null],
    ["a closer that the answer lacks", "█\n", editOf("foo(a"), "foo(█)\n", null],
    [
      "a closer on its own line",
      "f() █\nend",
      editOf("{\n  g();\n}"),
      "f() {\n  █\n}\nend",
      editOf("g();"),
    ],
    ["a covered closer", "f(█)\n", editOf("a, b);", 0, 1), "f(a█)\n", editOf(", b);", 0, 1)],
    ["a covered closer typed over", "f(█)\n", editOf("a);", 0, 1), "f(a)█\n", editOf(";")],
    ["replaced indentation", "      █\n", editOf("  else:", 6), "      el█\n", editOf("else:", 6)],
    ["a replaced word", "prt█\n", editOf("print()", 3), "prt(█\n", editOf("int()", 2)],
    ["back before the answer", "abc█\n", editOf("def"), "ab█\n", null],
    ["an edit above", "x\nabc█\n", editOf("def"), "xy\nabcd█\n", null],
    ["an edit of the same length above", "x\nabc█\n", editOf("def"), "y\nabcd█\n", null],
    ["an edit below", "abc█\nx", editOf("def"), "abcd█\nyx", null],
    ["CRLF", "a\r\n{█\r\n", editOf("\n  b\n}"), "a\r\n{\r\n  █\r\n", editOf("b\n}")],
    ["CRLF in both", "{█\r\n", editOf("\r\n  b\r\n}"), "{\r\n█\r\n", editOf("  b\r\n}")],
    ["half a character", "█", editOf("🚀!"), "\ud83d█", null],
    ["a whole character", "█", editOf("🚀!"), "🚀█", editOf("!")],
    ["only blanks are left", "█\n", editOf("a  "), "a█\n", null],
    ["an empty document", "█", editOf("import x"), "imp█", editOf("ort x")],
  ])("%s", (_, then, edit, now, expected) => {
    expect(rest(then, edit, now)).toEqual(expected);
  });

  const unit = fc.constantFrom("a", "b", "(", ")", "{", "}", " ", "\n", ";", "🚀");
  const someText = fc.string({ unit, maxLength: 10 });
  const lawfulCase = fc.record({ prefix: someText, suffix: someText, text: someText }).chain((c) =>
    fc.record({
      around: fc.constant({ prefix: c.prefix, suffix: c.suffix }),
      edit: fc.record({
        text: fc.constant(c.text),
        replaceBefore: fc.integer({ min: 0, max: Math.min(3, c.prefix.length) }),
        replaceAfter: fc.integer({ min: 0, max: Math.min(3, c.suffix.length) }),
      }),
    }),
  );
  const viewOf = (around: { prefix: string; suffix: string }) =>
    viewAt(TextBuffer.from(around.prefix + around.suffix), around.prefix.length);

  test("whatever was typed, a remaining edit is lawful and gives the same document", () => {
    fc.assert(
      fc.property(lawfulCase, fc.nat(12), someText, fc.nat(3), ({ edit, around }, k, x, n) => {
        fc.pre(brokenLaw(around, edit) === null);
        const kept = around.prefix.length - edit.replaceBefore;
        for (const prefix of [
          around.prefix + edit.text.slice(0, k),
          around.prefix.slice(0, kept) + edit.text.slice(0, k),
          around.prefix + x,
          around.prefix + edit.text.slice(0, k) + x.slice(0, 2),
        ]) {
          for (const closers of ["", ")", "}", ")}", "\n}", x]) {
            const now = { prefix, suffix: closers + around.suffix.slice(n) };
            const left = remainingEdit(viewOf(around), edit, viewOf(now));
            if (left === null) continue;
            expect(applyEdit(now, left)).toBe(applyEdit(around, edit));
            expect(brokenLaw(now, left)).toBeNull();
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("typing along an answer keeps all the rest of it", () => {
    fc.assert(
      fc.property(lawfulCase, fc.nat(12), ({ edit, around }, typed) => {
        const plain = { ...edit, replaceBefore: 0 };
        fc.pre(brokenLaw(around, plain) === null);
        const now = { ...around, prefix: around.prefix + plain.text.slice(0, typed) };
        const left = remainingEdit(viewOf(around), plain, viewOf(now));
        const text = plain.text.slice(typed);
        const covered = around.suffix.slice(0, plain.replaceAfter);
        fc.pre(!splitsPair(plain.text, typed));
        // A covered character that was typed instead of stepped over would stand there twice.
        const isLawful = brokenLaw(now, { ...plain, text }) === null;
        if (text.trim() === "" || text === covered || !isLawful) {
          expect(left).toBeNull();
        } else expect(left).toEqual({ ...plain, text });
      }),
      { numRuns: 1_000 },
    );
  });

  test("the reach is bounded: 4,096 units left and 1,024 right, and the lengths of both sides", () => {
    const far = "x".repeat(5_000);
    expect(rest(`${far}█${far}`, editOf("abc"), `${far}a█${far}`)).toEqual(editOf("bc"));
    const view = parse(`${far}█${far}`).view;
    expect([view.before.length, view.after.length]).toEqual([4096, 1024]);
    const moved = parse(`y${far}a█${far}`).view;
    expect(remainingEdit(view, editOf("abc"), moved)).toBeNull();
    const typed = "y".repeat(4_097);
    expect(
      remainingEdit(view, editOf(`${typed}!`), parse(`${far}${typed}█${far}`).view),
    ).toBeNull();
  });
});

describe("remembered answers", () => {
  const entry = (marked: string, text: string, answer: string) => ({
    view: parse(marked).view,
    edit: editOf(text),
    answer,
  });

  test("deleting and typing again finds the old answer", () => {
    const ring: AnswerRing<string> = remember([], entry("let a = █\n", "b + c;", "1"));
    for (const now of ["let a = b█\n", "let a = █\n", "let a = b +█\n"]) {
      expect(recall(ring, parse(now).view)?.answer).toBe("1");
    }
    expect(recall(ring, parse("let a =█\n").view)).toBeNull();
    expect(
      recall(remember(ring, entry("let a =█\n", " 1;", "2")), parse("let a =█\n").view),
    ).toEqual({ answer: "2", edit: editOf(" 1;") });
  });

  test("the newest of several that fit is taken, and one answer is held once", () => {
    let ring: AnswerRing<string> = [];
    ring = remember(ring, entry("a█\n", "bcd", "old"));
    ring = remember(ring, entry("ab█\n", "cde", "new"));
    expect(recall(ring, parse("abc█\n").view)).toEqual({ answer: "new", edit: editOf("de") });
    ring = remember(ring, entry("a█\n", "bcd", "again"));
    expect(ring.map(({ answer }) => answer)).toEqual(["again", "new"]);
  });

  test("the ring forgets the oldest", () => {
    let ring: AnswerRing<number> = [];
    for (let i = 0; i < 100; i++) {
      ring = remember(ring, { ...entry("a█\n", `${i}`, ""), answer: i });
    }
    expect([ring.length, ring[0]?.answer, ring.at(-1)?.answer]).toEqual([32, 99, 68]);
  });
});

describe("a text that is still being written", () => {
  test.each<[string, string, string, boolean]>([
    ["a = █\n", "", "a = x█\n", true],
    ["a = █\n", "xy", "a = x█\n", true],
    ["a = █\n", "xy", "a = xyz█\n", true],
    ["a = █\n", "xy", "a = z█\n", false],
    ["a = █\n", "", "a =█\n", false],
    ["a = █\n", "", "a = f(█)\n", true],
    ["a = █\n", "", "a = f(█ b)\n", false],
    ["f() {█\n", "\n  go();", "f() {\n    g█\n", true],
    ["a\n█\n", "", "b\nx█\n", false],
  ])("%j wrote %j, now %j: %j", (then, partial, now, expected) => {
    expect(mayStillFit(parse(then).view, partial, parse(now).view)).toBe(expected);
  });
});
