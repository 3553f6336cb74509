import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit, brokenLaw } from "../cursor-edit.ts";
import type { CursorEdit } from "../types.ts";
import type { PartialAccept } from "./partial-accept.ts";
import { acceptLine, acceptWord } from "./partial-accept.ts";

type Accept = typeof acceptWord;

/** The pieces in which a text is accepted. */
function piecesOf(text: string, accept: Accept): readonly string[] {
  const pieces: string[] = [];
  let rest: CursorEdit | null = { text, replaceBefore: 0, replaceAfter: 0 };
  while (rest !== null) {
    const step: PartialAccept = accept(rest, { prefix: "", suffix: "" });
    pieces.push(step.now.text);
    rest = step.rest;
  }
  return pieces;
}

describe("pieces", () => {
  test("are words or runs of marks, with the blanks before them", () => {
    expect(piecesOf("foo(bar, 1) {\n  größe += 1;", acceptWord)).toEqual([
      "foo",
      "(",
      "bar",
      ",",
      " 1",
      ")",
      " {",
      "\n  größe",
      " +=",
      " 1",
      ";",
    ]);
  });

  test("are lines, with the line end before them", () => {
    expect(piecesOf("a {\r\n\r\n  b\r\n}", acceptLine)).toEqual(["a {", "\r\n\r\n  b", "\r\n}"]);
  });

  test("take along what is replaced right of the cursor", () => {
    const edit = { text: 'ready");', replaceBefore: 0, replaceAfter: 2 };
    const around = { prefix: 'log("', suffix: '")' };
    expect(acceptWord(edit, around)).toEqual({
      now: { text: "ready", replaceBefore: 0, replaceAfter: 0 },
      rest: { text: '");', replaceBefore: 0, replaceAfter: 2 },
    });
  });

  test("hold what is replaced left of the cursor", () => {
    const edit = { text: "foo bar", replaceBefore: 4, replaceAfter: 0 };
    expect(acceptWord(edit, { prefix: "foo ", suffix: "" }).now.text).toBe("foo");
    expect(acceptWord({ ...edit, replaceBefore: 3 }, { prefix: "f o", suffix: "" })).toMatchObject({
      now: { text: "foo", replaceBefore: 3 },
    });
  });
});

describe("laws", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "ö", "🚀", "(", ")", " ", "\n", "\t", '"'),
  });
  const lawful = fc
    .record({ prefix: text, suffix: text, text, before: fc.nat(6), after: fc.nat(6) })
    .map(({ prefix, suffix, text: own, before, after }) => ({
      around: { prefix, suffix },
      edit: {
        text: own,
        replaceBefore: Math.min(before, prefix.length),
        replaceAfter: Math.min(after, suffix.length),
      },
    }))
    .filter(({ around, edit }) => brokenLaw(around, edit) === null);

  for (const [name, accept] of [
    ["word", acceptWord],
    ["line", acceptLine],
  ] as const) {
    test(`accepting ${name} by ${name} gives what accepting at once gives, lawfully`, () => {
      fc.assert(
        fc.property(lawful, ({ around, edit }) => {
          let place = around;
          let rest: CursorEdit | null = edit;
          while (rest !== null) {
            expect(brokenLaw(place, rest)).toBe(null);
            const step: PartialAccept = accept(rest, place);
            expect(brokenLaw(place, step.now)).toBe(null);
            expect(step.rest === null || step.now.text.length > 0).toBe(true);
            const { prefix, suffix } = place;
            place = {
              prefix: prefix.slice(0, prefix.length - step.now.replaceBefore) + step.now.text,
              suffix: suffix.slice(step.now.replaceAfter),
            };
            rest = step.rest;
          }
          expect(place.prefix + place.suffix).toBe(applyEdit(around, edit));
        }),
      );
    });
  }
});
