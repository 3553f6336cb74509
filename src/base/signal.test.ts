import { expect, test } from "vitest";
import { isAbort, linkSignals } from "./signal.ts";

/** A signal that counts its listeners, to prove that none is left behind. */
function countingSignal(): { signal: AbortSignal; abort(reason: unknown): void; count(): number } {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.assign(signal, {
    addEventListener: (type: "abort", listener: () => void, options?: { once?: boolean }) => {
      listeners.add(listener);
      add(type, listener, options);
    },
    removeEventListener: (type: "abort", listener: () => void) => {
      listeners.delete(listener);
      remove(type, listener);
    },
  });
  return { signal, abort: (reason) => controller.abort(reason), count: () => listeners.size };
}

test("a linked controller aborts with its parent's reason", () => {
  const [a, b] = [countingSignal(), countingSignal()];
  const linked = linkSignals(a.signal, undefined, b.signal);
  expect(linked.controller.signal.aborted).toBe(false);
  b.abort("why");
  expect(linked.controller.signal.reason).toBe("why");
  linked.unlink();
  expect([a.count(), b.count()]).toEqual([0, 0]);
});

test("an aborted parent aborts at once and no listener stays behind", () => {
  const [a, b] = [countingSignal(), countingSignal()];
  b.abort("early");
  const linked = linkSignals(a.signal, b.signal);
  expect(linked.controller.signal.reason).toBe("early");
  linked.unlink();
  expect([a.count(), b.count()]).toEqual([0, 0]);
});

test("after unlink a parent's abort is no longer heard", () => {
  const a = countingSignal();
  const linked = linkSignals(a.signal);
  linked.unlink();
  a.abort("late");
  expect(linked.controller.signal.aborted).toBe(false);
});

test("only the reason of an aborted signal, or an AbortError, is a cancellation", () => {
  const controller = new AbortController();
  const reason = new Error("superseded");
  expect(isAbort(reason, controller.signal)).toBe(false);
  controller.abort(reason);
  const abortError = Object.assign(new Error("aborted"), { name: "AbortError" });
  expect(isAbort(reason, controller.signal)).toBe(true);
  expect(isAbort(abortError, controller.signal)).toBe(true);
  expect(isAbort(new Error("socket"), controller.signal)).toBe(false);
});
