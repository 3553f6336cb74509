import { describe, expect, it } from "vitest";
import { errorOf } from "../../testing/error-of.ts";
import { promptBudget } from "./budget.ts";

describe("promptBudget", () => {
  it("is 4,096 tokens where the context is long, with 2,000 left and 800 right of the cursor", () => {
    expect(promptBudget({ contextTokens: 32_768, outputTokens: 48 })).toEqual({
      totalTokens: 4096,
      prefixTokens: 2000,
      suffixTokens: 800,
      definitionTokens: 300,
    });
  });

  it("is the context less the output where that is shorter, and leaves room beside the window", () => {
    const budget = promptBudget({ contextTokens: 2048, outputTokens: 48 });
    expect(budget).toEqual({
      totalTokens: 2000,
      prefixTokens: 1200,
      suffixTokens: 500,
      definitionTokens: 200,
    });
  });

  it("takes an unknown context for 4,096 tokens", () => {
    expect(promptBudget({ contextTokens: null, outputTokens: 96 }).totalTokens).toBe(4000);
  });

  it("obeys a limit of the caller's", () => {
    const options = { contextTokens: 32_768, outputTokens: 48, maxPromptTokens: 1000 };
    expect(promptBudget(options).totalTokens).toBe(1000);
  });

  it("refuses a context that the output fills, and says what is left", () => {
    const error = errorOf(() => promptBudget({ contextTokens: 256, outputTokens: 200 }));
    expect(error).toMatchObject({
      code: "CONTEXT_TOO_SMALL",
      message:
        "A context of 256 tokens less 200 for the output leaves 56 for the prompt; " +
        "at least 64 are needed",
    });
  });
});
