import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type EngineCall,
  type EngineReply,
  MessageError,
  readCall,
  readReply,
} from "./messages.ts";

const complete = {
  kind: "complete",
  id: 3,
  lane: "prefetch",
  prompt: { pieces: [{ isSentinel: true, text: "<PRE>" }], cursorPiece: null },
  maxTokens: 48,
  temperature: 0.2,
  stop: ["\n"],
  forcedPrefix: "retu",
  grammar: null,
  logProbabilities: true,
  drafts: ["a \ud83d b"],
} as const satisfies EngineCall;

const calls: readonly EngineCall[] = [
  {
    kind: "open",
    engineFolder: "/engine",
    modelFile: "m.gguf",
    threads: 2,
    gpu: "auto",
    contextTokens: 4096,
  },
  { kind: "open", engineFolder: "/", modelFile: null, threads: 1, gpu: "off", contextTokens: 0 },
  complete,
  { ...complete, prompt: { pieces: "text", cursorPiece: 0 }, grammar: "root", drafts: null },
  { kind: "cancel", id: 3 },
  { kind: "count", id: 4, text: "" },
];

const usage = { inputTokens: 9, cachedTokens: 8, outputTokens: 2, decodeSteps: 1 };
const replies: readonly EngineReply[] = [
  { kind: "opened", facts: { contextTokens: 4096, gpu: "off", threads: 2 } },
  { kind: "unusable", code: "MODEL_SERVER_FAILED", message: "it does not start" },
  { kind: "text", id: 3, text: "größe", logProbability: -0.5 },
  { kind: "text", id: 3, text: "", logProbability: null },
  { kind: "ended", id: 3, finishReason: "length", usage },
  { kind: "counted", id: 4, tokens: 7 },
  { kind: "failed", id: 3, code: "CONTEXT_TOO_SMALL", message: "too long" },
  { kind: "log", message: "hm" },
];

describe("messages arrive as they were sent", () => {
  it.each(calls)("to the child: $kind", (call) => {
    expect(readCall(JSON.parse(JSON.stringify(call)))).toEqual(call);
  });

  it.each(replies)("from the child: $kind", (reply) => {
    expect(readReply(JSON.parse(JSON.stringify(reply)))).toEqual(reply);
  });
});

describe("a message that is none of ours is refused", () => {
  it.each([
    ["no object", 7, "a message is an object"],
    ["no kind", {}, "kind is not a text"],
    ["an unknown kind", { kind: "sing" }, 'there is no call "sing"'],
    ["a lane that does not exist", { ...complete, lane: "fast" }, "lane is not a known word"],
    ["half a token", { ...complete, maxTokens: 1.5 }, "maxTokens is not a count"],
    ["stops that are numbers", { ...complete, stop: [1] }, "stop is not a list of texts"],
    ["a missing field", { ...complete, grammar: undefined }, "grammar is not a text"],
    ["no prompt", { ...complete, prompt: "text" }, "a message is an object"],
  ])("%s", (_, value, message) => {
    expect(() => readCall(value)).toThrow(new MessageError(message));
  });

  it("an unknown error code", () => {
    const reply = { kind: "failed", id: 3, code: "toString", message: "x" };
    expect(() => readReply(reply)).toThrow(new MessageError("code is not a known word"));
  });

  it("whatever it is, nothing else is thrown", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const read of [readCall, readReply]) {
          try {
            read(value);
          } catch (error) {
            expect(error).toBeInstanceOf(MessageError);
          }
        }
      }),
    );
  });
});
