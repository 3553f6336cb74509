import { expect, test } from "vitest";
import type { BackendRequest } from "../../core/index.ts";
import { CompletionError } from "../../core/index.ts";
import { FakeBackend } from "../../testing/fake-backend.ts";
import { askedOnce } from "./asked-once.ts";

function request(text: string): BackendRequest {
  const prompt = { kind: "rendered", text, tokens: 1 } as const;
  return { model: "fake", prompt, maxTokens: 8, temperature: 0, stop: [] };
}

const signal = new AbortController().signal;

test("the same request is asked once, another one by itself", async () => {
  const backend = new FakeBackend({ script: ({ prompt }) => JSON.stringify(prompt) });
  const once = askedOnce(backend);
  const textOf = async (about: string): Promise<string> => {
    let text = "";
    for await (const event of once.complete(request(about), { signal })) {
      if (event.kind === "text") text += event.text;
    }
    return text;
  };
  const [first, second, other] = [await textOf("a"), await textOf("a"), await textOf("b")];
  expect([second === first, other === first, backend.requests.length]).toEqual([true, false, 2]);
});

test("what a caller left early is asked again by one who wants more, who hears all of it once", async () => {
  const backend = new FakeBackend({
    script: { steps: [text("one "), text("two "), text("three")] },
  });
  const once = askedOnce(backend);
  const hear = async (pieces: number): Promise<string> => {
    let heard = "";
    let left = pieces;
    for await (const event of once.complete(request("a"), { signal })) {
      if (event.kind === "text") heard += event.text;
      left--;
      if (left === 0) break;
    }
    return heard;
  };
  expect([await hear(1), await hear(1), backend.requests.length]).toEqual(["one ", "one ", 1]);
  expect([await hear(9), backend.requests.length]).toEqual(["one two three", 2]);
});

test("a request that failed is asked again", async () => {
  const error = new CompletionError("BACKEND_TIMEOUT", "late");
  const backend = new FakeBackend({ script: { steps: [{ kind: "fail", error }] } });
  const once = askedOnce(backend);
  const ask = async (): Promise<void> => {
    for await (const event of once.complete(request("a"), { signal })) void event;
  };
  await expect(ask()).rejects.toThrow(error);
  await expect(ask()).rejects.toThrow(error);
  expect(backend.requests.length).toBe(2);
});

function text(piece: string): { readonly kind: "text"; readonly text: string } {
  return { kind: "text", text: piece };
}
