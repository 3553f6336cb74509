import { describe, expect, it } from "vitest";
import { serverWords } from "./server-words.ts";

const nothing = { apiKey: null, prompt: "" };

describe("what a server says", () => {
  it.each([
    [
      "OpenAI",
      '{"error":{"message":"The model `x` does not exist.","code":404}}',
      "The model `x` does not exist",
    ],
    ["Ollama", '{"error":"model \'x\' not found"}', "model 'x' not found"],
    ["SGLang", '{"object":"error","message":"too long","code":400}', "too long"],
    ["FastAPI", '{"detail":"Not Found"}', "Not Found"],
    [
      "FastAPI about a field",
      '{"detail":[{"loc":["body","suffix"],"msg":"Extra inputs are not permitted","input":"code"}]}',
      "suffix: Extra inputs are not permitted",
    ],
    [
      "Mistral about a field",
      '{"message":{"detail":[{"loc":["body","x"],"msg":"Extra inputs"}]}}',
      "x: Extra inputs",
    ],
    ["plain text", "upstream\n  timed out\n", "upstream timed out"],
    ["a web page", "<!doctype html><title>502</title>", ""],
    ["JSON without a sentence", '{"a":1}', ""],
    ["nothing", "", ""],
  ])("as %s", (_name, body, expected) => {
    expect(serverWords(body, nothing)).toBe(expected);
  });

  it("is cut to one short line without control characters", () => {
    const words = serverWords(`a\u0007\u001b[31m\n${"b".repeat(500)}`, nothing);
    expect(words).toMatch(/^a \[31m b+…$/);
    expect(words.length).toBeLessThanOrEqual(201);
  });

  it("never holds the key or a piece of the prompt", () => {
    const apiKey = "sk-1234567890";
    expect(serverWords(`bad key ${apiKey}!`, { apiKey, prompt: "" })).toBe("bad key …!");
    const prompt = "const password = readPassword();\n";
    const body = "Input should be a string, got 'const password = readPassword();'";
    expect(serverWords(body, { apiKey: null, prompt })).toBe("its message quotes the prompt");
  });
});
