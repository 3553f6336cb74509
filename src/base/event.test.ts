import { expect, test } from "vitest";
import { Emitter } from "./event.ts";

test("listeners hear events in the order they were added, until they are removed", () => {
  const emitter = new Emitter<string>();
  const heard: string[] = [];
  const removeFirst = emitter.on((event) => heard.push(`1 ${event}`));
  const listener = (event: string): void => void heard.push(`2 ${event}`);
  emitter.on(listener);
  const removeSecondOnce = emitter.on(listener);
  emitter.emit("a");
  removeFirst();
  removeFirst();
  removeSecondOnce();
  emitter.emit("b");
  expect(heard).toEqual(["1 a", "2 a", "2 a", "2 b"]);
  expect(emitter.listenerCount).toBe(1);
});

test("a listener that throws stops neither the others nor the caller", () => {
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  emitter.on(() => {
    throw new Error("its own affair");
  });
  emitter.on((event) => heard.push(event));
  emitter.emit(1);
  expect(heard).toEqual([1]);
});

test("a listener that is removed while an event is on its way does not hear it", () => {
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  emitter.on(() => remove());
  const remove = emitter.on((event) => heard.push(event));
  emitter.emit(1);
  expect(heard).toEqual([]);
});
