import fc from "fast-check";
import { expect, test } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { IndexBuilder } from "./index-builder.ts";
import { LocalModel } from "./local-model.ts";
import { partEnds } from "./part-search.ts";
import type { LocalQuery } from "./types.ts";

function parts(text: string): string[] {
  return partEnds(text).map((end) => text.slice(0, end));
}

test("A part ends behind a name, a closing bracket or a quote that closes.", () => {
  expect(parts('foo.bar("baz", qux);')).toEqual([
    "foo",
    "foo.bar",
    'foo.bar("baz',
    'foo.bar("baz"',
    'foo.bar("baz", qux',
    'foo.bar("baz", qux)',
  ]);
  expect(parts("a = 1")).toEqual(["a = 1"]);
  expect(parts("() => {")).toEqual(["()"]);
  expect(parts("")).toEqual([]);
});

test("A part never ends inside a name, and is shorter than nothing that it is cut from.", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab_1 .(){}'\";=>") }), (text) => {
      for (const end of partEnds(text)) {
        expect(2 <= end && end <= text.length).toBe(true);
        expect(text.slice(end - 1, end + 1)).not.toMatch(/^\w\w$/);
        expect(text.slice(0, end)).toMatch(/[\w)\]}"'`]$/);
      }
    }),
  );
});

const words = ["alpha", "beta", "gamma", "delta", "render", "measure"];
const line = fc
  .array(fc.constantFrom(...words, ".", "(", ")", " = ", ", ", '"'), { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.join(""));
const file = fc
  .array(line, { minLength: 2, maxLength: 12 })
  .map((lines) => `${lines.join("\n")}\n`);

function modelOf(texts: readonly string[]): LocalModel {
  const builder = new IndexBuilder();
  texts.forEach((text, i) => {
    const path = `src/${i}.ts`;
    builder.add({ path, hash: text, sizeBytes: text.length, modifiedMs: 0 }, text);
  });
  const model = new LocalModel();
  model.adopt(builder.build());
  return model;
}

test("Parts are beginnings of rests that were found, come behind them, and are always the same.", () => {
  const place = fc.record({ above: file, start: line, below: file });
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 4 }), place, (files, at) => {
      const query: LocalQuery = {
        document: TextBuffer.from(`${at.above}${at.start}\n${at.below}`),
        offset: at.above.length + at.start.length,
        ...{ path: "src/new.ts", languageId: "typescript", maxLines: 1 },
        ...{ maxCandidates: 5, maxParts: 4 },
      };
      const model = modelOf(files);
      const found = model.complete(query);
      expect(modelOf(files).complete(query)).toEqual(found);
      const rests = model.rawCandidates(query).map(({ text }) => text);
      const parts = found.filter(({ extent }) => extent === "part");
      expect(found.slice(found.length - parts.length)).toEqual(parts);
      expect(model.complete({ ...query, maxParts: 0 })).toEqual(
        found.slice(0, found.length - parts.length),
      );
      expect(parts.length).toBeLessThanOrEqual(4);
      expect(new Set(parts.map(({ text }) => text)).size).toBe(parts.length);
      for (const { text, chance } of parts) {
        expect(rests.some((rest) => rest.startsWith(text))).toBe(true);
        expect(partEnds(text)).toContain(text.length);
        expect(0 <= chance && chance <= 1).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
