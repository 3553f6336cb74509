import fc from "fast-check";
import { expect, it } from "vitest";
import { multiLineSpans, type Span, singleLineSpans } from "./derive-spans.ts";

const solution = `  let total = 0;
  for (const n of numbers) {

    total += n;
    if (total > 10) {
      total -= 10;
    }
  }
  return total;
}
`;

function drawn(spans: readonly Span[]): readonly string[] {
  return spans.map(({ start, end }) => solution.slice(start, end));
}

it("makes a hole of each line that says something", () => {
  expect(drawn(singleLineSpans(solution))).toEqual([
    "let total = 0;",
    "for (const n of numbers) {",
    "total += n;",
    "if (total > 10) {",
    "total -= 10;",
    "return total;",
  ]);
});

it("makes a hole of each block of several lines", () => {
  expect(drawn(multiLineSpans(solution))).toEqual([
    solution.slice(2, solution.indexOf("\n}")),
    "total += n;\n    if (total > 10) {\n      total -= 10;\n    }",
  ]);
});

it("makes holes inside of the text that begin and end visibly, whatever the text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "}", " ", "\t", "\n", "1") });
  fc.assert(
    fc.property(text, (code) => {
      for (const { start, end, line } of [...singleLineSpans(code), ...multiLineSpans(code)]) {
        const hole = code.slice(start, end);
        expect(hole).toBe(hole.trim());
        expect(hole).toMatch(/[a1]/);
        expect(code.slice(0, start).split("\n").length - 1).toBe(line);
      }
    }),
  );
});
