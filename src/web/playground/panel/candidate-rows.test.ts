import { describe, expect, it } from "vitest";
import type { AutocompleteReply } from "../../../protocol/autocomplete.ts";
import { candidateRows } from "./candidate-rows.ts";

const ms = { queue_ms: 0, context_ms: 0, prompt_ms: 0, local_ms: 0, ttft_ms: 0, decode_ms: 0 };
const reply: AutocompleteReply = {
  id: "1",
  completion: "read(path)",
  replace_before: 0,
  replace_after: 0,
  model: "local",
  source: "local",
  confidence: 0.6,
  finish_reason: "stop",
  latency_ms: 1,
  timings: { ...ms, post_ms: 0 },
  usage: { input_tokens: 0, cached_tokens: 0, output_tokens: 0 },
  reason: null,
  candidates: [
    { text: "read(path)", chance: 0.6, source: "local", rejected_by: null },
    { text: "readAll()", chance: 0.3, source: "local", rejected_by: null },
    { text: "readOnce()", chance: 0.2, source: "local", rejected_by: null },
    { text: "read(", chance: 0.1, source: "local", rejected_by: "unbalanced" },
  ],
};

describe("the candidates of a key press", () => {
  it("are offered only when they are on screen or can be turned over to", () => {
    const offered = ["read(path)", "readAll()"].map((text) => ({ text, whole: text }));
    const rows = candidateRows({
      kind: "answered",
      trigger: "automatic",
      editorWaitMs: 0,
      roundTripMs: 1,
      reply,
      offered,
    });
    expect(rows.map(({ text, state, refusedBy }) => [text, state, refusedBy])).toEqual([
      ["read(path)", "offered", ""],
      ["readAll()", "offered", ""],
      ["readOnce()", "not-offered", ""],
      ["read(", "refused", "unbalanced"],
    ]);
  });

  it("that were typed along are what is left of them", () => {
    const rows = candidateRows({
      kind: "typed-through",
      editorWaitMs: 0,
      reuseMs: 0,
      reply,
      offered: [{ text: "All()", whole: "readAll()" }],
    });
    expect(rows).toEqual([
      { text: "All()", chance: 0.3, source: "local", state: "offered", refusedBy: "" },
    ]);
  });

  it("are none before there is an answer", () => {
    expect(candidateRows({ kind: "waiting", trigger: "automatic" })).toEqual([]);
  });
});
