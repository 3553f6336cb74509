import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TokenText } from "./token-text.ts";

/** Tokens are bytes. */
const bytesToText = (tokens: readonly number[]): string => Buffer.from(tokens).toString("utf8");

function pieces(bytes: readonly number[]): string[] {
  const text = new TokenText(bytesToText, []);
  return [...bytes.map((byte) => text.push(byte)), text.end()].filter((piece) => piece !== "");
}

describe("tokens become whole characters", () => {
  it("bytes of a character wait for the last one", () => {
    expect(pieces([...Buffer.from("aé🚀")])).toEqual(["a", "é", "🚀"]);
  });

  it("a character that has no end is left out", () => {
    expect(pieces([...Buffer.from("x🚀").subarray(0, 4)])).toEqual(["x"]);
  });

  it("bytes that never become a character do not hold up the rest", () => {
    const text = pieces([0xff, 0xff, 0xff, 0xff, 0x61, 0x62]).join("");
    expect(text.endsWith("ab")).toBe(true);
  });

  it("the tokens before are told, the last four", () => {
    const seen: (readonly number[])[] = [];
    const text = new TokenText(
      (tokens, before) => {
        seen.push(before);
        return tokens.join();
      },
      [1, 2, 3, 4, 5],
    );
    text.push(6);
    text.push(7);
    expect(seen).toEqual([
      [2, 3, 4, 5],
      [3, 4, 5, 6],
    ]);
  });

  it("the pieces together are the text, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\ufffd"));
        expect(pieces([...Buffer.from(text)]).join("")).toBe(text);
      }),
    );
  });
});
