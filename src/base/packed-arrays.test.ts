import { expect, test } from "vitest";
import {
  bytesOf,
  PACKED_ALIGNMENT,
  PackedReader,
  padded,
  textOfUnits,
  unitsOf,
} from "./packed-arrays.ts";

const fail = (what: string): Error => new RangeError(what);

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

test("What is packed is read back in its order, from an aligned place on.", () => {
  const head = new Uint8Array(PACKED_ALIGNMENT);
  const arrays = [
    Int32Array.of(1, -2, 3),
    Uint16Array.of(4, 5),
    Uint8Array.of(6),
    unitsOf("é\ud800"),
  ];
  const bytes = joined([head, ...arrays.map((array) => padded(bytesOf(array)))]);
  expect(bytes.length % PACKED_ALIGNMENT).toBe(0);
  const reader = new PackedReader(bytes, { start: head.length, fail });
  expect(reader.int32(3)).toEqual(arrays[0]);
  expect(reader.uint16(2)).toEqual(arrays[1]);
  expect(reader.uint8(1)).toEqual(arrays[2]);
  expect(reader.isAtEnd).toBe(false);
  expect(textOfUnits(reader.uint16(2))).toBe("é\ud800");
  expect(reader.isAtEnd).toBe(true);
});

test("A length that the bytes do not have, or that is none, fails as the caller says.", () => {
  const bytes = new Uint8Array(PACKED_ALIGNMENT);
  for (const length of [5, -1, Number.NaN, 2 ** 40]) {
    const reader = new PackedReader(bytes, { start: 0, fail });
    expect(() => reader.int32(length)).toThrow(RangeError);
  }
  expect(new PackedReader(bytes, { start: 0, fail }).int32(4)).toHaveLength(4);
});

test("Long texts survive, piece by piece.", () => {
  const text = "0123456789".repeat(2_000);
  expect(textOfUnits(unitsOf(text))).toBe(text);
});
