import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { healingCut } from "./healing.ts";

describe("healingCut", () => {
  const cases: readonly [kept: string, cut: string][] = [
    ["const x =", " retu"],
    ['fetch("http', ":"],
    ["const a", " ="],
    ["call", "("],
    ["def f():\n", "    "],
    ["def f():\n", "    ret"],
    ["x.y", "."],
    ["", "wor"],
    ["line\n", ""],
    ["", ""],
    ["a\r\n", "\t\tb"],
    ["名前 =", " 値"],
  ];
  for (const [kept, cut] of cases) {
    it(`cuts ${JSON.stringify(cut)} off ${JSON.stringify(kept + cut)}`, () => {
      expect(healingCut(kept + cut)).toBe(cut.length);
    });
  }

  it("leaves runs alone that are longer than a token", () => {
    expect(healingCut(`x ${"a".repeat(40)}`)).toBe(0);
  });

  it("never crosses a line end and never splits a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const length = healingCut(text);
        const cut = text.slice(text.length - length);
        return (
          length <= 33 &&
          !/[\r\n]/.test(cut) &&
          !/^[\uDC00-\uDFFF]/.test(isPaired(text, length) ? cut : "")
        );
      }),
    );
  });
});

function isPaired(text: string, length: number): boolean {
  const border = text.length - length;
  return border > 0 && /[\uD800-\uDBFF]/.test(text.charAt(border - 1));
}
