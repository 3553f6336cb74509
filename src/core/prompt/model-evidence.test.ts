import { describe, expect, it } from "vitest";
import { errorOf } from "../../testing/error-of.ts";
import { formatRows } from "./fim-format.ts";
import { formatByEvidence, type ModelEvidence, telltaleTokens } from "./model-evidence.ts";

/** A vocabulary with these tokens, in this order from id 100 on. */
function vocabulary(
  tokens: readonly string[],
  names: readonly string[] = [],
  vocabularySize: number | null = 50_000,
): ModelEvidence {
  const ids = new Map(tokens.map((text, i) => [text, 100 + i]));
  return { names, tokenId: (text) => ids.get(text) ?? null, vocabularySize };
}

function specialsOf(family: string): readonly string[] {
  const row = formatRows.find((row) => row.family === family);
  return row?.fim === "client" ? row.specials : [];
}

function familyOf(model: string, evidence: ModelEvidence, override: string | null = null): string {
  return formatByEvidence({ model, backendKind: "llama.cpp", override, evidence }).family;
}

const tinyIds = new Map([
  ["<|fim_prefix|>", 8186],
  ["<|fim_middle|>", 8187],
  ["<|fim_suffix|>", 8188],
]);
const smolIds = new Map([
  ["<fim_prefix>", 8],
  ["<fim_suffix>", 9],
  ["<fim_middle>", 10],
  ["<repo_name>", 3],
  ["<file_sep>", 5],
]);

describe("formatByEvidence", () => {
  it.each([8_192, null])("knows our tiny model under any name (vocabulary of %s)", (size) => {
    const evidence = {
      names: [],
      tokenId: (text: string) => tinyIds.get(text) ?? null,
      vocabularySize: size,
    };
    expect(familyOf("qwen2.5-coder-7b.gguf", evidence)).toBe("tiny-fim");
    expect(familyOf("model", evidence)).toBe("tiny-fim");
  });

  it("knows our small model under any name", () => {
    const evidence = {
      names: [],
      tokenId: (text: string) => smolIds.get(text) ?? null,
      vocabularySize: 49_152,
    };
    expect(familyOf("starcoder2-3b.Q8_0.gguf", evidence)).toBe("smol-fim");
    expect(familyOf("a.gguf", evidence)).toBe("smol-fim");
  });

  it("believes the metadata more than the file's name", () => {
    const evidence = vocabulary(specialsOf("starcoder2"), ["starcoder2-3b"]);
    expect(familyOf("mellum-4b.gguf", evidence)).toBe("starcoder2");
  });

  it("believes the name where the metadata says nothing, if the tokens are there", () => {
    const evidence = vocabulary(specialsOf("mellum-4b"), ["LLaMA v2"]);
    expect(familyOf("Mellum-4b-base.Q8_0.gguf", evidence)).toBe("mellum-4b");
  });

  it("does not believe a name whose sentinels are no tokens", () => {
    const evidence = vocabulary(specialsOf("seed-coder"));
    expect(familyOf("qwen2.5-coder-7b.gguf", evidence)).toBe("seed-coder");
  });

  it("takes the one form of prompt that the tokens fit", () => {
    expect(familyOf("default", vocabulary(specialsOf("qwen2.5-coder")))).toBe("qwen2.5-coder");
    expect(familyOf("default", vocabulary(specialsOf("codegemma")))).toBe("codegemma");
    expect(familyOf("default", vocabulary(specialsOf("granite-4.0")))).toBe("granite-4.0");
  });

  it("guesses nothing where the tokens fit several forms", () => {
    const evidence = vocabulary(specialsOf("starcoder2"));
    expect(errorOf(() => familyOf("default", evidence))).toMatchObject({
      code: "MODEL_UNKNOWN",
      message: expect.stringMatching(/starcoder2.*--format FAMILY$/),
    });
    expect(familyOf("default", evidence, "starcoder2")).toBe("starcoder2");
  });

  it("does not take an unknown chat model for its tokens' sake", () => {
    const evidence = vocabulary(specialsOf("qwen2.5-coder"), ["Qwen2.5 7B Instruct"]);
    expect(errorOf(() => familyOf("qwen2.5-7b-instruct", evidence))).toMatchObject({
      code: "MODEL_UNKNOWN",
    });
  });

  it("refuses a family that was not trained for it, whatever the file is called", () => {
    const evidence = vocabulary(specialsOf("starcoder2"), ["starcoder2-15b"]);
    expect(errorOf(() => familyOf("starcoder2-3b.gguf", evidence))).toMatchObject({
      code: "MODEL_WITHOUT_FIM",
      message: expect.stringContaining("starcoder2-3b or starcoder2-7b"),
    });
  });

  it("does not let an empty name in the metadata hide a good one", () => {
    const evidence = vocabulary(specialsOf("starcoder"), ["gpt_bigcode"]);
    expect(familyOf("starcoder-1b.gguf", evidence)).toBe("starcoder");
  });

  it("says that a vocabulary has no sentinels", () => {
    expect(errorOf(() => familyOf("my-model", vocabulary(["<s>", "</s>"])))).toMatchObject({
      code: "MODEL_WITHOUT_FIM",
      message: expect.stringContaining('"my-model" has no fill-in-the-middle tokens'),
    });
  });

  it("holds a family that was named by hand against the vocabulary", () => {
    const evidence = vocabulary(specialsOf("starcoder2"));
    expect(errorOf(() => familyOf("x", evidence, "qwen2.5-coder"))).toMatchObject({
      code: "MODEL_WITHOUT_FIM",
      message: expect.stringContaining("no token <|fim_prefix|>"),
    });
  });

  it("finds each family by name when its tokens are there", () => {
    for (const row of formatRows) {
      if (row.fim !== "client") continue;
      expect(familyOf(row.family, vocabulary(row.specials), row.family)).toBe(row.family);
      expect(row.specials.every((text) => telltaleTokens.includes(text))).toBe(true);
    }
  });
});
