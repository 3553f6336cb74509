import { describe, expect, it } from "vitest";
import type { AutocompleteReply } from "../../protocol/autocomplete.ts";
import { formatMs, type KeyPress, stagesOf, totalMs } from "./key-press.ts";

const reply: AutocompleteReply = {
  id: "1",
  completion: "x",
  replace_before: 0,
  replace_after: 0,
  model: "local",
  source: "local",
  confidence: 0.6,
  finish_reason: "stop",
  latency_ms: 7,
  timings: {
    queue_ms: 0.5,
    context_ms: 1,
    prompt_ms: 0,
    local_ms: 4,
    ttft_ms: 0,
    decode_ms: 0,
    post_ms: 0.5,
  },
  usage: { input_tokens: 0, cached_tokens: 0, output_tokens: 0 },
  reason: null,
};

function answered(editorWaitMs: number, roundTripMs: number): KeyPress {
  return { kind: "answered", trigger: "automatic", editorWaitMs, roundTripMs, reply, offered: [] };
}

function numbers(keyPress: KeyPress): readonly (readonly [string, number, number])[] {
  return stagesOf(keyPress)
    .filter((stage) => stage.durationMs > 0)
    .map(({ id, startMs, durationMs }) => [id, startMs, durationMs] as const);
}

describe("the stages of a key press", () => {
  it("stand one after the other, and the rest is what no stage claims", () => {
    expect(numbers(answered(2, 10))).toEqual([
      ["wait", 0, 2],
      ["queue", 2, 0.5],
      ["context", 2.5, 1],
      ["local", 3.5, 4],
      ["post", 7.5, 0.5],
      ["rest", 8, 4],
    ]);
    expect(totalMs(stagesOf(answered(2, 10)))).toBe(12);
  });

  it("have no negative rest when the server's clock says more than the page's", () => {
    expect(stagesOf(answered(0, 5)).find((stage) => stage.id === "rest")?.durationMs).toBe(0);
  });

  it("are the editor's wait and the reuse when nothing was asked", () => {
    const keyPress: KeyPress = {
      kind: "typed-through",
      editorWaitMs: 3,
      reuseMs: 0.2,
      reply,
      offered: [],
    };
    expect(numbers(keyPress)).toEqual([
      ["wait", 0, 3],
      ["rest", 3, 0.2],
    ]);
  });

  it("are all 0 before the first key", () => {
    expect(numbers({ kind: "none", beginning: null })).toEqual([]);
  });
});

it("formats milliseconds for a narrow column", () => {
  const shown = [0, 0.004, 0.04, 0.096, 3.14, 99.94, 128.4].map(formatMs);
  expect(shown).toEqual(["–", "<0.01", "0.04", "0.1", "3.1", "99.9", "128"]);
});
