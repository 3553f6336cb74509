import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopCutter } from "./stop-cutter.ts";

function cut(pieces: readonly string[], stops: readonly string[]): string {
  const cutter = new StopCutter(stops);
  const text = pieces.map((piece) => cutter.push(piece)).join("");
  return cutter.isStopped ? text : text + cutter.end();
}

/** The same, letter by letter: the text up to the first place where a stop ends. */
function cutSlowly(text: string, stops: readonly string[]): string {
  for (let end = 1; end <= text.length; end++) {
    const ending = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    if (ending.length > 0) return text.slice(0, end - Math.max(...ending.map((e) => e.length)));
  }
  return text;
}

describe("a text is cut before the first stop", () => {
  it.each([
    [["ab", "cd"], ["bc"], "a"],
    [["abc"], ["c", "b"], "a"],
    [["ab"], ["bc"], "ab"],
    [["a<", "<|end|>"], ["<|end|>"], "a<"],
    [["ba\nb"], ["a", "ba\nb"], "b"],
    [["ba"], ["a", "ba"], ""],
    [["abc"], [""], "abc"],
    [["abc"], [], "abc"],
  ])("%j with %j", (pieces, stops, expected) => {
    expect(cut(pieces, stops)).toBe(expected);
  });

  it("however it arrives", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 4 });
    const stop = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 10 }),
        fc.array(stop, { maxLength: 3 }),
        (pieces, stops) => {
          expect(cut(pieces, stops)).toBe(cutSlowly(pieces.join(""), stops));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("and nothing is held back longer than needed", () => {
    const cutter = new StopCutter(["\n\n"]);
    expect([cutter.push("a\n"), cutter.push("b"), cutter.push("\n")]).toEqual(["a", "\nb", ""]);
  });
});
