import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineReader } from "./line-reader.ts";

function lines(chunks: readonly Uint8Array[]): readonly string[] {
  const reader = new LineReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

describe("bytes to lines", () => {
  it.each([
    ["a\nb\n", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\r", ["a", "b"]],
    ["a\n\nb", ["a", "", "b"]],
    ["a\r\n\r\nb", ["a", "", "b"]],
    ["\uFEFFa\n", ["a"]],
    ["", []],
  ])("of %j", (text, expected) => {
    expect(lines([Buffer.from(text)])).toEqual(expected);
  });

  it("are the same wherever the chunks are cut", () => {
    const text = fc
      .array(fc.constantFrom("a", "é", "🚀", "\n", "\r", "\r\n", " "), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(100), { maxLength: 8 }), (whole, cuts) => {
        const bytes = Buffer.from(whole, "utf8");
        const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
        expect(lines(chunks)).toEqual(lines([bytes]));
      }),
    );
  });

  it("tells how long the unfinished line is", () => {
    const reader = new LineReader();
    reader.push(Buffer.from("done\nabc"));
    expect(reader.pendingLength).toBe(3);
  });
});
