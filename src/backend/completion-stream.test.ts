import { describe, expect, it } from "vitest";
import type { BackendEvent, BackendRequest } from "../core/index.ts";
import { completionEvents, type WireEvent } from "./completion-stream.ts";

const request: BackendRequest = {
  model: "m",
  prompt: { kind: "rendered", text: "", tokens: 0 },
  maxTokens: 4,
  temperature: 0,
  stop: ["<end>"],
};

async function events(values: readonly WireEvent[]): Promise<readonly BackendEvent[]> {
  async function* stream(): AsyncGenerator<WireEvent> {
    yield* values;
  }
  const found: BackendEvent[] = [];
  const read = (value: unknown): WireEvent => value as WireEvent;
  const noAnswer = (): Error => new Error("no answer");
  const options = { read, request, noAnswer };
  for await (const event of completionEvents(stream(), options)) found.push(event);
  return found;
}

const text = (found: readonly BackendEvent[]): string =>
  found.map((event) => (event.kind === "text" ? event.text : "")).join("");

describe("decoded values to backend events", () => {
  it("sends a log-probability with the text that it belongs to, held back or not", async () => {
    const found = await events([
      { text: "a", logProbability: -1 },
      { text: "<", logProbability: -2 },
      { text: "b", logProbability: -3 },
    ]);
    expect(found.slice(0, -1)).toEqual([
      { kind: "text", text: "a", logProbability: -1 },
      { kind: "text", text: "<b", logProbability: -5 },
    ]);
  });

  it("ends at a stop, whatever the server calls its end", async () => {
    const found = await events([{ text: "a<end>b" }, { text: "c", finishReason: "length" }]);
    expect(text(found)).toBe("a");
    expect(found.at(-1)).toMatchObject({ kind: "done", finishReason: "stop" });
  });

  it("drops half a character at the token limit", async () => {
    const found = await events([
      { text: "a\uFFFDb" },
      { text: "c\uFFFD\uFFFD" },
      { text: "", finishReason: "length" },
    ]);
    expect(text(found)).toBe("a\uFFFDbc");
  });

  it("keeps what looks like it when the model meant it", async () => {
    expect(text(await events([{ text: "a\uFFFD" }, { text: "b" }]))).toBe("a\uFFFDb");
    expect(text(await events([{ text: "a\uFFFD", finishReason: "stop" }]))).toBe("a\uFFFD");
  });

  it("cuts a text over the limit, never inside a character", async () => {
    const found = await events([{ text: "🚀".repeat(500) }, { text: "never read" }]);
    expect(text(found)).toBe("🚀".repeat((4 * 16 + 256) / 2));
    expect(found.at(-1)).toMatchObject({ finishReason: "length" });
    expect(text(await events([{ text: "x" }, { text: "🚀".repeat(500) }]))).toBe(
      `x${"🚀".repeat((4 * 16 + 256) / 2 - 1)}`,
    );
  });

  it("is done also when the server says nothing at its end", async () => {
    expect(await events([])).toEqual([
      {
        kind: "done",
        finishReason: "stop",
        usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
      },
    ]);
  });
});
