import { expect, it } from "vitest";
import { nonNegativeNumber, positiveInteger, positiveNumber, share } from "./number-flags.ts";

const readers = { positiveInteger, positiveNumber, nonNegativeNumber, share };

it.each([
  ["positiveInteger", ["1", "40", " 7 "], ["0", "-1", "1.5", "", " ", "many", "1e13", "NaN"]],
  ["positiveNumber", ["0.5", "3"], ["0", "-2", "", "1e308", "Infinity"]],
  ["nonNegativeNumber", ["0", "0.25", "1e12"], ["-0.1", "", "1e308", "x"]],
  ["share", ["0", "0.4", "1"], ["1.01", "-1", "", "all"]],
] as const)("%s takes %j and refuses %j", (name, good, bad) => {
  const read = readers[name];
  expect(good.map((text) => read(text))).toEqual(good.map(Number));
  for (const text of bad) expect(() => read(text)).toThrow(/^It is not/);
});
