import fc from "fast-check";
import { expect, test } from "vitest";
import { Vocabulary } from "./vocabulary.ts";

test("Equal tokens have one id, on both sides of a freeze.", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: "binary" })), (words) => {
      const first = new Vocabulary();
      const ids = words.map((word) => first.intern(word, 0, word.length));
      const second = new Vocabulary(first.freeze());
      expect(words.map((word) => second.intern(word, 0, word.length))).toEqual(ids);
      expect(second.size).toBe(first.size);
      expect(ids.map((id) => second.text(id))).toEqual(words);
      expect(new Set(ids).size).toBe(new Set(words).size);
    }),
  );
});

test("New tokens lie above those of the base and survive growth.", () => {
  const base = new Vocabulary();
  base.intern("old", 0, 3);
  const vocabulary = new Vocabulary(base.freeze());
  const words = Array.from({ length: 5000 }, (_, i) => `word${i}`);
  const ids = words.map((word) => vocabulary.intern(word, 0, word.length));
  expect(ids.map((id) => vocabulary.text(id))).toEqual(words);
  expect(Math.min(...ids)).toBe(3);
  expect(vocabulary.startsWith(ids[1234] as number, "word12")).toBe(true);
  expect(vocabulary.startsWith(ids[1] as number, "word12")).toBe(false);
});
