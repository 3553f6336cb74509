import { expect, it } from "vitest";
import { runEach } from "./run-each.ts";

const { signal } = new AbortController();

it("works on so many at once and on each once", async () => {
  const done: number[] = [];
  let now = 0;
  let most = 0;
  await runEach([1, 2, 3, 4, 5, 6, 7], { parallel: 3, signal }, async (item) => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    done.push(item);
    now--;
  });
  expect([done.toSorted(), most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3]);
});

it("begins nothing after a failure, and lets what runs end", async () => {
  const begun: number[] = [];
  const run = runEach([1, 2, 3, 4, 5], { parallel: 2, signal }, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error("first");
  });
  await expect(run).rejects.toThrow("first");
  expect(begun).toEqual([1, 2]);
});

it("stops at the signal", async () => {
  const controller = new AbortController();
  const begun: number[] = [];
  const run = runEach([1, 2, 3], { parallel: 1, signal: controller.signal }, async (item) => {
    begun.push(item);
    if (item === 2) controller.abort(new Error("enough"));
  });
  await expect(run).rejects.toThrow("enough");
  expect(begun).toEqual([1, 2]);
});
