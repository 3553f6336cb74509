import { expect, test } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";

test("time jumps from timer to timer, and what they start in between has its turn", async () => {
  const clock = new VirtualClock();
  const seen: [string, number][] = [];
  const note = (name: string): void => void seen.push([name, clock.now()]);
  clock.after(30, () => note("late"));
  clock.after(10, () => {
    note("early");
    clock.after(5, () => note("started by early"));
    void Promise.resolve().then(() => clock.after(1, () => note("started by a promise")));
  });
  const cancel = clock.after(12, () => note("cancelled"));
  cancel();
  clock.after(10, () => note("same time, later"));
  await clock.advanceTo(20);
  note("reached");
  await clock.advanceTo(3_600_000);
  expect(seen).toEqual([
    ["early", 10],
    ["same time, later", 10],
    ["started by a promise", 11],
    ["started by early", 15],
    ["reached", 20],
    ["late", 30],
  ]);
  expect([clock.now(), clock.pendingCount]).toEqual([3_600_000, 0]);
});

test("while it flows it does not jump, and goes on jumping when the backend is done", async () => {
  const clock = new VirtualClock();
  clock.setFlowing(true);
  const realStart = performance.now();
  let endedAt = 0;
  // The backend answers at once in real time; the rest of the hour is jumped over.
  setImmediate(() => {
    clock.setFlowing(false);
    endedAt = clock.now();
  });
  await clock.advanceTo(3_600_000);
  expect(clock.now()).toBe(3_600_000);
  expect(endedAt).toBeLessThanOrEqual(performance.now() - realStart);
});
