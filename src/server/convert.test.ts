import { expect, test } from "vitest";
import { BugError } from "../base/assert.ts";
import { engineResult } from "../testing/scripted-engine.ts";
import { toAutocompleteReply, toEngineRequest } from "./convert.ts";

const times = { count: 1, latencyMs: 1.23456, queueMs: 0.5 };

test("Every field of the wire has its place in the request.", () => {
  const request = toEngineRequest({
    prefix: "p",
    suffix: "s",
    language: "go",
    path: "a.go",
    max_tokens: 9,
    temperature: 0.5,
    stop: "x",
    multiline: "always",
    trigger: "invoked",
    session: "1",
    version: 3,
    n: 2,
    threshold: 0,
    selection: true,
    context: [{ path: "b.go", text: "b", kind: "edit" }],
    explain: true,
    noted: false,
  });
  expect(request).toEqual({
    document: {
      kind: "text",
      prefix: "p",
      suffix: "s",
      path: "a.go",
      languageId: "go",
      session: "1",
      version: 3,
    },
    trigger: "invoked",
    multiline: "always",
    maxTokens: 9,
    temperature: 0.5,
    stop: ["x"],
    count: 2,
    threshold: 0,
    snippets: [{ path: "b.go", text: "b", kind: "edit", score: 0 }],
    hasSelection: true,
    explain: true,
    isNoted: false,
  });
});

test("Empty names are no names.", () => {
  const { document } = toEngineRequest({
    prefix: "",
    suffix: "",
    language: "",
    path: "",
    session: "",
  });
  expect(document).toMatchObject({ path: null, languageId: null, session: null });
});

test("Milliseconds have two decimals; the wait before the engine is part of the queue.", () => {
  const reply = toAutocompleteReply(engineResult("a"), times);
  expect([reply.latency_ms, reply.timings.queue_ms, reply.timings.context_ms]).toEqual([
    1.23, 0.5, 0.12,
  ]);
});

test("Alternatives come when several texts were asked for, also when there are none.", () => {
  const alternatives = [{ text: "b", replaceBefore: 1, replaceAfter: 2 }];
  const many = toAutocompleteReply(engineResult("a", { alternatives }), { ...times, count: 2 });
  expect(many.alternatives).toEqual([{ completion: "b", replace_before: 1, replace_after: 2 }]);
  expect(toAutocompleteReply(engineResult("a"), { ...times, count: 2 }).alternatives).toEqual([]);
  expect(toAutocompleteReply(engineResult("a"), times)).not.toHaveProperty("alternatives");
});

test("An explanation is added as prompt, snippets, candidates, threshold and decision.", () => {
  const reply = toAutocompleteReply(
    engineResult("a", {
      explanation: {
        prompt: null,
        snippets: [{ path: "b", source: "open", score: 1, text: "t" }],
        candidates: [{ text: "a", chance: null, source: "model", rejectedBy: "duplicate" }],
        threshold: 0.25,
        decision: "shown",
      },
    }),
    times,
  );
  expect(reply).toMatchObject({
    prompt: null,
    snippets: [{ path: "b", source: "open", score: 1, text: "t" }],
    candidates: [{ text: "a", chance: null, source: "model", rejected_by: "duplicate" }],
    threshold: 0.25,
    decision: "shown",
  });
});

test("A completion without a text is a fault of ours.", () => {
  expect(() => toAutocompleteReply(engineResult(""), times)).toThrow(BugError);
});
