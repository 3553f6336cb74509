import { expect, test } from "vitest";
import type { PostContext } from "./context.ts";
import { secrets } from "./filters/secrets.ts";
import { secretNames } from "./secret-names.ts";

/** Every name of the list as people write it. */
const names = secretNames
  .split(/\|/)
  .map((name) => name.replace("(?:or)?", "or").replaceAll("[_-]?", "_"));

test("The list has whole words only.", () => {
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
});

test.each(names)("A random value for %s is not proposed unless the document has it.", (name) => {
  const text = '"q7Rt2Zp9Xk4Vb8Nc3Lw6Hm1D";';
  const candidate = { text, replaceBefore: 0, replaceAfter: 0, endIsCut: false };
  for (const isKnown of [false, true]) {
    const context = { head: `const my_${name} = `, documentHolds: () => isKnown } as unknown;
    const result = secrets.apply(candidate, context as PostContext);
    expect(result).toEqual(isKnown ? candidate : { reason: "secret" });
  }
});
