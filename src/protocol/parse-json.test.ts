import fc from "fast-check";
import { expect, test } from "vitest";
import { DecodeError } from "./decode.ts";
import { findJsonFault, parseJson } from "./parse-json.ts";

test.each([
  ["", 0],
  ["  ", 2],
  ["{", 1],
  ['{"a"', 4],
  ['{"a":1,}', 7],
  ["[1,]", 3],
  ["[1 2]", 3],
  ["{a:1}", 1],
  ["}", 0],
  ["[}", 1],
  ["{]", 1],
  ['{"a":1]', 6],
  ["1 1", 2],
  ["tru", 3],
  ["trux", 3],
  ["nul!", 3],
  ["01", 1],
  ["-", 1],
  ["1.", 2],
  ["1.x", 2],
  ["1e+", 3],
  [".5", 0],
  ['"abc', 4],
  ['"a\nb"', 2],
  ['"\\x"', 2],
  ['"\\u12g4"', 5],
  ['"\\u12', 5],
  ['"\\', 2],
  ["<html>", 0],
  ["'a'", 0],
  ["NaN", 0],
  ["[1] // done", 4],
])("The fault of %j is at %i.", (text, offset) => {
  expect(findJsonFault(text)).toBe(offset);
  expect(() => parseJson(text)).toThrow(DecodeError);
});

test("The message gives position, line and column.", () => {
  expect(() => parseJson('{\n  "prefix": "a",\n  "suffix": b\n}')).toThrow(
    "body is not JSON: unexpected character at position 31 (line 3, column 13)",
  );
  expect(() => parseJson('{"prefix": "a"')).toThrow(
    "body is not JSON: it ends too early at position 14 (line 1, column 15)",
  );
});

test("A byte order mark before the text is skipped, one inside a string stays.", () => {
  expect(parseJson('\uFEFF{"a":"\uFEFF"}')).toEqual({ a: "\uFEFF" });
});

test("Depth does not matter, neither for right nor for wrong texts.", () => {
  const depth = 100_000;
  expect(findJsonFault("[".repeat(depth) + "]".repeat(depth))).toBe(depth * 2);
  expect(findJsonFault(`${"[".repeat(depth)}!`)).toBe(depth);
  expect(() => parseJson("[".repeat(depth))).toThrow(`position ${depth} `);
});

const damagedJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom("", "{", "]", ",", '"', "\\", "1", "x", " ", "\u0001"),
  )
  .map(([json, at, insert]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + insert + json.slice(place + (insert === "" ? 1 : 0));
  });

test("A fault is found exactly where JSON.parse reports one.", () => {
  fc.assert(
    fc.property(damagedJson, (text) => {
      const message = messageOf(() => JSON.parse(text));
      const offset = findJsonFault(text);
      if (message === null) {
        expect(offset).toBe(text.length);
        return;
      }
      expect(() => parseJson(text)).toThrow(DecodeError);
      const reported = /at position (\d+)/.exec(message)?.[1];
      if (reported !== undefined) expect(offset).toBe(Number(reported));
      else if (message === "Unexpected end of JSON input") expect(offset).toBe(text.length);
    }),
    { numRuns: 2000 },
  );
});

function messageOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
