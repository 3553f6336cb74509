import { expect, test } from "vitest";
import { CompletionError } from "../core/index.ts";
import { IndexBuilder } from "./index-builder.ts";
import { decodeIndex, encodeIndex } from "./index-codec.ts";
import type { LocalIndex } from "./local-index.ts";
import { emptyIndex } from "./local-index.ts";

function sample(): LocalIndex {
  const builder = new IndexBuilder();
  for (const name of ["a", "b\u00e9\ud800"]) {
    builder.add(
      { path: `src/${name}.ts`, hash: name, sizeBytes: 40, modifiedMs: 1.5 },
      `const ${name[0]} = 1;\nreturn ${name[0]} + 1;\n`,
    );
  }
  return builder.build();
}

function joined(index: LocalIndex): Uint8Array {
  return Uint8Array.from(encodeIndex(index).flatMap((piece) => [...piece]));
}

function plain(index: LocalIndex): unknown {
  const { vocabulary, ...arrays } = index;
  const numbers = (array: ArrayLike<number>): number[] => Array.from(array);
  return {
    files: arrays.files,
    codeBytes: arrays.codeBytes,
    arrays: [arrays.fileStarts, arrays.tokens, arrays.positions, arrays.buckets].map(numbers),
    vocabulary: [vocabulary.arena, vocabulary.offsets, vocabulary.table].map(numbers),
    size: vocabulary.size,
  };
}

test("An index read back is the index that was written.", () => {
  for (const index of [sample(), emptyIndex]) {
    expect(plain(decodeIndex(joined(index)))).toEqual(plain(index));
  }
});

test("Bytes at an odd place in a buffer are read too.", () => {
  const bytes = joined(sample());
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(plain(decodeIndex(shifted.subarray(3)))).toEqual(plain(sample()));
});

function codeOf(bytes: Uint8Array): string {
  try {
    decodeIndex(bytes);
    return "none";
  } catch (error) {
    return error instanceof CompletionError ? error.code : String(error);
  }
}

test("Any changed byte is noticed.", () => {
  const bytes = joined(sample());
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.slice();
    changed[i] = (changed[i] as number) ^ 0x41;
    expect(`${i} ${codeOf(changed)}`).toBe(`${i} INDEX_CORRUPT`);
  }
});

test("Bytes that end early, or that are something else, are noticed.", () => {
  const bytes = joined(sample());
  for (const length of [0, 1, 47, 48, 64, bytes.length - 16, bytes.length - 1]) {
    expect(codeOf(bytes.subarray(0, length))).toBe("INDEX_CORRUPT");
  }
  expect(codeOf(new Uint8Array([...bytes, ...new Uint8Array(16)]))).toBe("INDEX_CORRUPT");
  expect(codeOf(new Uint8Array(4096))).toBe("INDEX_CORRUPT");
});

test("An index with a right checksum but a place out of range is refused.", () => {
  const index = sample();
  const { positions, tokens, vocabulary } = index;
  const wrong: LocalIndex[] = [
    { ...index, positions: positions.map((at, i) => (i === 3 ? tokens.length : at)) },
    { ...index, tokens: tokens.map((token, i) => (i === 3 ? vocabulary.size : token)) },
    { ...index, vocabulary: { ...vocabulary, table: vocabulary.table.map(() => 2) } },
    { ...index, fileStarts: index.fileStarts.toReversed() },
    { ...index, files: [] },
  ];
  for (const bad of wrong) expect(codeOf(joined(bad))).toBe("INDEX_CORRUPT");
});
