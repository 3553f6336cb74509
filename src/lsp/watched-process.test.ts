import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { isRunning, watchProcess } from "./watched-process.ts";

test("The end of a process is told once, and nobody is told who stopped watching.", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const { pid } = child;
  if (pid === undefined) throw new Error("no process was started");
  const clock = new FakeClock();
  let count = 0;
  watchProcess(pid, { clock, onGone: () => count++ });
  const unwatch = watchProcess(pid, { clock, onGone: () => (count += 100) });
  clock.advanceSync(30_000);
  expect([isRunning(pid), count]).toEqual([true, 0]);
  unwatch();
  child.kill("SIGKILL");
  await ended;
  clock.advanceSync(30_000);
  expect([isRunning(pid), count, clock.pendingCount]).toEqual([false, 1, 0]);
});
