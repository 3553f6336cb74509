import { describe, expect, it } from "vitest";
import { NgramBaseline } from "./ngram-baseline.ts";

function baseline(...texts: readonly string[]): NgramBaseline {
  return new NgramBaseline(
    texts.map((text, i) => ({ path: `${i}.ts`, text, languageId: "typescript" })),
  );
}

describe("the n-gram baseline", () => {
  it("goes on with the most frequent token to the end of the line", () => {
    const model = baseline("a = f(x);\n", "a = f(y);\n", "b = f(y);\n");
    expect(model.complete("\nc = f(")).toBe("y);");
  });

  it("prefers the longest context over the most frequent token", () => {
    const model = baseline("one = f(x);\n", "two = f(y);\n", "two = f(y);\n");
    expect(model.complete("one = f(")).toBe("x);");
  });

  it("finishes the word that was begun, or goes on after it", () => {
    const model = baseline("call(first);\n", "call(second);\ncall(second);\n");
    expect(model.complete("call(fi")).toBe("rst);");
    expect(model.complete("call(second")).toBe(");");
  });

  it("says nothing when it never saw the last token, or was given nothing", () => {
    expect(baseline("a;\n").complete("zebra(")).toBe("");
    expect(baseline().complete("a = ")).toBe("");
    expect(baseline("a;\n").complete("")).toBe("");
  });

  it("does not look over the border of a file", () => {
    expect(baseline("start();\nend", "next();\n").complete("start();\nend")).toBe("");
  });
});
