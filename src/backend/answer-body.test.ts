import { afterEach, describe, expect, it, vi } from "vitest";
import { AnswerBody } from "./answer-body.ts";

/** Two chunks, and then silence until it is closed. */
function silent(): { readonly bytes: AsyncIterable<Uint8Array>; readonly isClosed: () => boolean } {
  let closed = false;
  let end: (result: IteratorResult<Uint8Array>) => void = () => {};
  let left = 2;
  const iterator: AsyncIterator<Uint8Array> = {
    next: () =>
      left-- > 0
        ? Promise.resolve({ done: false, value: Uint8Array.of(left) })
        : new Promise((resolve) => {
            end = resolve;
          }),
    return: async () => {
      closed = true;
      end({ done: true, value: undefined });
      return { done: true, value: undefined };
    },
  };
  return { bytes: { [Symbol.asyncIterator]: () => iterator }, isClosed: () => closed };
}

describe("the bytes of an answer", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are closed when the loop is left", async () => {
    const { bytes, isClosed } = silent();
    for await (const chunk of new AnswerBody(bytes)) {
      void chunk;
      break;
    }
    expect(isClosed()).toBe(true);
  });

  it("are left alone once everything was read, but not for ever", async () => {
    vi.useFakeTimers();
    const { bytes, isClosed } = silent();
    const body = new AnswerBody(bytes);
    for await (const chunk of body) {
      void chunk;
      body.letEnd();
      break;
    }
    expect(isClosed()).toBe(false);
    await vi.advanceTimersByTimeAsync(999);
    expect(isClosed()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
