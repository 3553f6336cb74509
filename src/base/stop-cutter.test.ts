import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopCutter } from "./stop-cutter.ts";

function cut(pieces: readonly string[], stops: readonly string[]): string {
  const cutter = new StopCutter(stops);
  const text = pieces.map((piece) => cutter.push(piece)).join("");
  return cutter.isStopped ? text : text + cutter.end();
}

describe("a text is cut before the first stop", () => {
  it.each([
    [["ab", "cd"], ["bc"], "a"],
    [["abc"], ["c", "b"], "a"],
    [["ab"], ["bc"], "ab"],
    [["a<", "<|end|>"], ["<|end|>"], "a<"],
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
          const whole = pieces.join("");
          const found = stops.map((each) => whole.indexOf(each)).filter((at) => at >= 0);
          expect(cut(pieces, stops)).toBe(whole.slice(0, Math.min(whole.length, ...found)));
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
