import fc from "fast-check";
import { expect, test } from "vitest";
import { hashText } from "./hash.ts";

test("a hash is 16 hex digits and the same for the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(hashText(text)).toMatch(/^[0-9a-f]{16}$/);
      expect(hashText(text)).toBe(hashText(`${text}`));
    }),
  );
});

test("similar texts have different hashes", () => {
  const texts = new Set<string>([""]);
  for (let i = 0; i < 20_000; i++) {
    texts.add(`const value${i} = ${i % 7};`).add(" ".repeat(i % 500) + i);
    texts.add(String.fromCharCode(i, i + 1));
  }
  expect(new Set([...texts].map(hashText)).size).toBe(texts.size);
});
