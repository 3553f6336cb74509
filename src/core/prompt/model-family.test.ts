import { describe, expect, it } from "vitest";
import { errorOf } from "../../testing/error-of.ts";
import { formatRows } from "./fim-format.ts";
import { resolveFormat } from "./model-family.ts";

function familyOf(model: string, backendKind = "openai"): string {
  return resolveFormat({ model, backendKind, override: null }).family;
}

describe("resolveFormat", () => {
  it.each([
    ["Qwen/Qwen2.5-Coder-1.5B", "qwen2.5-coder"],
    ["/models/Qwen2.5-Coder-1.5B-Q8_0.gguf", "qwen2.5-coder"],
    ["C:\\models\\qwen2.5-coder-7b-q4_k_m.gguf", "qwen2.5-coder"],
    ["qwen2.5-coder:1.5b-base-q4_K_M", "qwen2.5-coder"],
    ["unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M", "qwen3-coder"],
    ["CodeQwen1.5-7B-Chat", "codeqwen1.5"],
    ["deepseek-ai/deepseek-coder-1.3b-base", "deepseek-coder-v1"],
    ["deepseek-coder-v2:16b-lite-base-q4_0", "deepseek-coder-v2-lite"],
    ["deepseek-coder", "deepseek-coder-v1"],
    ["bigcode/starcoder2-3b", "starcoder2"],
    ["starcoder2:7b", "starcoder2"],
    ["bigcode/starcoderplus", "starcoder"],
    ["starcoder:1b", "starcoder"],
    ["codestral:22b-v0.1-q4_K_M", "codestral-22b"],
    ["codestral-latest", "codestral-22b"],
    ["codestral-2508", "codestral-22b"],
    ["meta-llama/CodeLlama-13b-Instruct-hf", "codellama"],
    ["codegemma:2b-code", "codegemma"],
    ["granite-code:3b", "granite-code"],
    ["granite3.3:2b", "granite-3.3"],
    ["ibm-granite/granite-4.0-h-small", "granite-4.0"],
    ["zai-org/GLM-4.6", "glm-4.5+"],
    ["smallcloudai/Refact-1_6B-fim", "refact-1.6b"],
    ["JetBrains/Mellum-4b-sft-python", "mellum-4b"],
    ["/models/gemma/smol-fim.gguf", "smol-fim"],
  ])("knows %s as %s", (model, family) => {
    expect(familyOf(model)).toBe(family);
  });

  it("lets the file's name decide over its folder", () => {
    expect(familyOf("/models/starcoder/Qwen2.5-Coder-7B.gguf")).toBe("qwen2.5-coder");
    expect(familyOf("/models/qwen2.5-coder/model.gguf")).toBe("qwen2.5-coder");
  });

  it("takes the rows of hosted endpoints with their own backends only", () => {
    expect(familyOf("codestral-latest", "mistral")).toBe("mistral-fim-api");
    expect(familyOf("deepseek-chat", "deepseek")).toBe("deepseek-api-fim");
    expect(errorOf(() => familyOf("deepseek-chat"))).toMatchObject({ code: "MODEL_UNKNOWN" });
    expect(errorOf(() => familyOf("starcoder2-3b", "mistral"))).toMatchObject({
      code: "MODEL_UNKNOWN",
      message: 'The mistral backend has no fill-in-the-middle model "starcoder2-3b"',
    });
  });

  it("does not guess, and names the setting", () => {
    expect(errorOf(() => familyOf("my-model"))).toMatchObject({
      code: "MODEL_UNKNOWN",
      message:
        'No prompt format is known for the model "my-model"; name its family with --format FAMILY',
    });
  });

  it.each([
    ["deepseek-coder-7b-base-v1.5", "deepseek-coder-v1.5"],
    ["deepseek-ai/DeepSeek-Coder-V2-Base", "deepseek-coder-v2"],
    ["starcoder2:15b", "starcoder2-15b"],
    ["codellama:34b-code", "codellama-no-infill"],
    ["codellama:7b-python", "codellama-no-infill"],
    ["google/codegemma-7b-it", "codegemma-it"],
    ["stable-code:instruct", "stable-code-instruct"],
    ["Seed-Coder-8B-Instruct", "seed-coder-instruct"],
    ["devstral-small-2507", "devstral"],
    ["01-ai/Yi-Coder-9B", "yi-coder"],
    ["OpenCoder-8B-Base", "opencoder"],
    ["replit-code-v1_5-3b", "replit-code"],
    ["zed-industries/zeta-2", "zeta2"],
    ["zed-industries/zeta", "zeta1"],
    ["sweepai/sweep-next-edit-1.5B", "sweep-next-edit"],
    ["continuedev/instinct", "instinct"],
    ["llama-3.1-8b-instruct", "chat-fallback"],
    ["gpt-4o-mini", "chat-fallback"],
  ])("refuses %s, a model of %s", (model, family) => {
    const row = formatRows.find((row) => row.family === family);
    expect(errorOf(() => familyOf(model))).toMatchObject({
      code: "MODEL_WITHOUT_FIM",
      message:
        `The model ${JSON.stringify(model)} (${family}) cannot be used: ` +
        (row?.fim === "none" ? row.reason : ""),
    });
  });

  it("obeys a family that is named by hand", () => {
    const named = (override: string, backendKind = "openai"): string =>
      resolveFormat({ model: "my-model", backendKind, override }).family;
    expect(named("starcoder2")).toBe("starcoder2");
    expect(named("Codestral-22B")).toBe("codestral-22b");
    expect(errorOf(() => named("starcoder3"))).toMatchObject({ code: "CONFIG_INVALID" });
    expect(errorOf(() => named("mistral-fim-api"))).toMatchObject({ code: "CONFIG_INVALID" });
    expect(errorOf(() => named("qwen2.5-coder", "deepseek"))).toMatchObject({
      code: "CONFIG_INVALID",
    });
    expect(errorOf(() => named("zeta2"))).toMatchObject({ code: "MODEL_WITHOUT_FIM" });
  });
});
