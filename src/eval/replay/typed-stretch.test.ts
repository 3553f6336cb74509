import fc from "fast-check";
import { expect, test } from "vitest";
import { TypedStretch } from "./typed-stretch.ts";

const source = [
  "export function first(a: string[]) {",
  "  if (a.length > 0) {",
  "    return wrap({ a, b: [1, (2 + 3)] }); // 😀",
  "  }",
  "",
  "\treturn ')';",
  "}",
].join("\n");

/** Types and accepts as `choose` says; the document in the end. */
function write(script: TypedStretch, choose: () => number): string {
  let text = script.text;
  while (true) {
    const units = Math.min(choose(), script.upcoming.length);
    if (units > 0) {
      // As an editor applies a text that replaces every closer.
      const { cursor, closers, upcoming } = script;
      text = text.slice(0, cursor) + upcoming.slice(0, units) + text.slice(cursor + closers.length);
      script.accept({ units, closers: closers.length });
      continue;
    }
    const key = script.next();
    if (key === null) return text;
    const { edit } = key;
    if (edit !== null) text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
}

test("whatever is typed and accepted, the file ends as it was", () => {
  fc.assert(
    fc.property(
      fc.nat({ max: source.length }),
      fc.nat({ max: source.length }),
      fc.infiniteStream(fc.constantFrom(0, 0, 0, 0, 1, 3, 20)),
      (a, b, choices) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const parts = {
          before: source.slice(0, start),
          target: source.slice(start, end),
          after: source.slice(end),
        };
        const text = write(new TypedStretch(parts), () => choices.next().value ?? 0);
        expect(text).toBe(source);
      },
    ),
  );
});

test("a bracket that closes on its line gets its partner, which is typed over", () => {
  const script = new TypedStretch({ before: "", target: "f(a) {\n  g();", after: "" });
  const keys = [];
  for (let key = script.next(); key !== null; key = script.next()) {
    keys.push([key.edit?.text ?? null, key.cursor, script.closers]);
  }
  expect(keys).toEqual([
    ["f", 1, ""],
    ["()", 2, ")"],
    ["a", 3, ")"],
    [null, 4, ""],
    [" ", 5, ""],
    ["{", 6, ""],
    ["\n  ", 9, ""],
    ["g", 10, ""],
    ["()", 11, ")"],
    [null, 12, ""],
    [";", 13, ""],
  ]);
});
