import fc from "fast-check";
import { expect, test } from "vitest";
import { ContextRanges } from "./index-search.ts";
import { CONTEXT_TOKENS, sortPositions } from "./sort-positions.ts";

function sorted(tokens: Int32Array, ids: number): { positions: Int32Array; buckets: Int32Array } {
  const positions = new Int32Array(tokens.length - 1);
  const buckets = new Int32Array(ids + 1);
  sortPositions(tokens, positions, buckets);
  return { positions, buckets };
}

const stream = fc
  .array(fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 2, max: 5 }) }, fc.constant(0)), {
    maxLength: 400,
  })
  .map((body) => Int32Array.of(0, ...body, 0));

test("Every position comes once, in the order of its reversed context.", () => {
  fc.assert(
    fc.property(stream, (tokens) => {
      const { positions } = sorted(tokens, 6);
      expect([...positions].sort((a, b) => a - b)).toEqual(
        Array.from({ length: tokens.length - 1 }, (_, i) => i + 1),
      );
      const keys = [...positions].map((position) => {
        const key: string[] = [];
        for (let back = 1; back <= CONTEXT_TOKENS; back++) {
          key.push(String(tokens[position - back]));
          if (tokens[position - back] === 0) break;
        }
        return `${key.join("")} ${String(position).padStart(6, "0")}`;
      });
      expect(keys).toEqual([...keys].sort());
    }),
  );
});

test("The range of a context holds exactly the places that follow it.", () => {
  fc.assert(
    fc.property(
      stream,
      fc.array(fc.integer({ min: 2, max: 5 }), { maxLength: 6 }),
      (tokens, words) => {
        const index = {
          files: [],
          fileStarts: new Int32Array(1),
          vocabulary: {
            size: 6,
            arena: new Uint16Array(0),
            offsets: new Int32Array(7),
            table: new Int32Array(2),
          },
          tokens,
          codeBytes: 0,
          ...sorted(tokens, 6),
        };
        const ranges = new ContextRanges();
        ranges.find(index, Int32Array.from(words), words.length);
        for (let length = 1; length <= words.length; length++) {
          const wanted = words.slice(-length).join();
          const places: number[] = [];
          for (let at = length; at < tokens.length; at++) {
            if (tokens.slice(at - length, at).join() === wanted) places.push(at);
          }
          const isFound = length <= ranges.longest;
          const found = isFound
            ? [...index.positions.slice(ranges.lows[length], ranges.highs[length])]
            : [];
          expect(found.sort((a, b) => a - b)).toEqual(places);
        }
      },
    ),
  );
});
