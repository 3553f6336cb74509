import { describe, expect, it } from "vitest";
import type { CursorEdit, CursorView } from "../../../core/index.ts";
import type { AutocompleteReply } from "../../../protocol/autocomplete.ts";
import { type HeldAnswers, hold, stillFitting } from "./held-answers.ts";

function view(marked: string): CursorView {
  const [before = "", after = ""] = marked.split("█");
  return { before, after, beforeLength: before.length, afterLength: after.length };
}

function insert(text: string): CursorEdit {
  return { text, replaceBefore: 0, replaceAfter: 0 };
}

function replyWith(id: string): AutocompleteReply {
  const ms = { queue_ms: 0, context_ms: 0, prompt_ms: 0, local_ms: 0, ttft_ms: 0, decode_ms: 0 };
  return {
    id,
    completion: "x",
    replace_before: 0,
    replace_after: 0,
    model: "local",
    source: "local",
    confidence: null,
    finish_reason: "stop",
    latency_ms: 1,
    timings: { ...ms, post_ms: 0 },
    usage: { input_tokens: 0, cached_tokens: 0, output_tokens: 0 },
    reason: null,
  };
}

const asked = view("const a = █;\n");
const held: HeldAnswers = hold([], {
  reply: replyWith("first"),
  edits: [insert("read(path)"), insert("readAll()"), insert("write(path)")],
  view: asked,
});

function texts(marked: string): readonly string[] | null {
  return stillFitting(held, view(marked))?.fits.map(({ edit }) => edit.text) ?? null;
}

describe("an answer in hand", () => {
  it("keeps of each text what is not typed yet, and drops the texts that no longer fit", () => {
    expect(texts("const a = █;\n")).toEqual(["read(path)", "readAll()", "write(path)"]);
    expect(texts("const a = re█;\n")).toEqual(["ad(path)", "adAll()"]);
  });

  it("goes on with another text than the first when that one is typed", () => {
    expect(texts("const a = wr█;\n")).toEqual(["ite(path)"]);
  });

  it("knows of which text each is the rest", () => {
    expect(stillFitting(held, view("const a = re█;\n"))?.fits.map(({ whole }) => whole)).toEqual([
      "read(path)",
      "readAll()",
    ]);
  });

  it("covers the bracket that the editor closed by itself", () => {
    expect(stillFitting(held, view("const a = read(█);\n"))?.fits[0]?.edit).toEqual({
      text: "path)",
      replaceBefore: 0,
      replaceAfter: 1,
    });
  });

  it("is of no use when something else was typed, all was typed, or another line changed", () => {
    expect(texts("const a = x█;\n")).toBeNull();
    expect(texts("const a = read(path)█;\n")).toBeNull();
    expect(texts("let b;\nconst a = re█;\n")).toBeNull();
  });

  it("gives way to a newer one", () => {
    const newer = hold(held, {
      reply: replyWith("second"),
      edits: [insert("adOnce()")],
      view: view("const a = re█;\n"),
    });
    expect(stillFitting(newer, view("const a = rea█;\n"))?.reply.id).toBe("second");
  });
});
