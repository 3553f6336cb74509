import { expect, test } from "vitest";
import { Matches } from "./chained-tokens.ts";
import { RecentFiles } from "./recent-files.ts";

/** Tokens that follow a context in the recent files, the last saved first. */
function following(files: RecentFiles, ...context: number[]): number[] {
  const matches = new Matches();
  files.find(Int32Array.from(context), context.length, matches);
  return [...matches.positions.subarray(0, matches.count)].map((at) => files.tokens[at] as number);
}

test("Only the last version of a file is found.", () => {
  const files = new RecentFiles();
  files.set("a", Int32Array.of(5, 6, 7, 8));
  files.set("b", Int32Array.of(5, 6, 7, 9));
  expect(following(files, 6, 7)).toEqual([9, 8]);
  files.set("a", Int32Array.of(5, 6, 7, 10));
  expect(following(files, 6, 7)).toEqual([10, 9]);
  files.delete("b");
  expect(following(files, 6, 7)).toEqual([10]);
});

test("A hidden file is not found, the others are.", () => {
  const files = new RecentFiles();
  files.set("a", Int32Array.of(6, 7, 8));
  files.set("b", Int32Array.of(6, 7, 9));
  files.hide("b");
  expect(following(files, 6, 7)).toEqual([8]);
  files.hide(null);
  expect(following(files, 6, 7)).toEqual([9, 8]);
});

test("A file saved a thousand times keeps the memory of a few.", () => {
  const files = new RecentFiles();
  for (let i = 0; i < 1000; i++) files.set("a", new Int32Array(100).fill(2 + (i % 50)));
  expect(files.count).toBe(1);
  expect(files.bytes).toBeLessThan(100 * 4 * 3 * 16);
});
