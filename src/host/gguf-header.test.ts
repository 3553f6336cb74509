import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GgufContent, ggufFile, modelFile } from "../testing/gguf-file.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { readGgufHeader } from "./gguf-header.ts";

const tokens = new Set(["<fim_prefix>", "<fim_suffix>", "<none>"]);

function fileOf(content: Uint8Array | string, name = "a.gguf"): string {
  const folder = tempFolder();
  writeFiles(folder, { [name]: content });
  return join(folder, name);
}

const whole: GgufContent = {
  metadata: {
    "general.architecture": "qwen2",
    "general.name": "Qwen2.5 Coder 0.5B",
    "general.basename": "Qwen2.5-Coder",
    "general.license": "apache-2.0",
    "general.file_type": { uint32: 15 },
    "general.quantized": true,
    "qwen2.context_length": { uint64: 32768 },
    "qwen2.block_count": { uint32: 24 },
    "qwen2.embedding_length": { uint32: 896 },
    "qwen2.attention.head_count": { uint32: 14 },
    "qwen2.attention.head_count_kv": { int32s: Array(24).fill(2) },
    "qwen2.rope.freq_base": { float32: 1e6 },
    "tokenizer.ggml.merges": { texts: ["a b", "c d"] },
    "tokenizer.ggml.token_type": { int32s: Array(2000).fill(1) },
    "tokenizer.ggml.tokens": { texts: ["a", "<fim_prefix>", "x".repeat(300), "<fim_suffix>"] },
    "tokenizer.ggml.fim_pre_token_id": { uint32: 1 },
  },
  tensors: [
    { name: "a", shape: [256, 10], type: 12, bytes: 1440 },
    { name: "b", shape: [100], type: 0, bytes: 400 },
  ],
};

describe("readGgufHeader", () => {
  it("reads what a model says about itself", async () => {
    const bytes = ggufFile(whole);
    expect(await readGgufHeader(fileOf(bytes), { tokens })).toEqual({
      architecture: "qwen2",
      names: ["Qwen2.5 Coder 0.5B", "Qwen2.5-Coder"],
      licence: "apache-2.0",
      contextTokens: 32768,
      quantisation: "Q4_K_M",
      parameterCount: 2660,
      vocabularySize: 4,
      tokenIds: new Map([
        ["<fim_prefix>", 1],
        ["<fim_suffix>", 3],
      ]),
      fimTokenIds: new Map([["pre", 1]]),
      // Keys and values, two bytes each, of two heads of 64 numbers in 24 layers.
      cacheBytesPerToken: 24 * 2 * 128 * 2,
      fileBytes: bytes.length,
      part: null,
    });
  });

  it("says nothing about what is not in the file", async () => {
    const file = fileOf(ggufFile({ metadata: {}, tensors: [] }));
    expect(await readGgufHeader(file, { tokens })).toMatchObject({
      architecture: null,
      names: [],
      contextTokens: null,
      quantisation: null,
      parameterCount: 0,
      vocabularySize: null,
      cacheBytesPerToken: null,
    });
  });

  it("keeps a vocabulary that is larger than what it reads at once", async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => `token ${i}`);
    const file = fileOf(modelFile({ name: "m", tokens: [...many, "<fim_prefix>"] }));
    const header = await readGgufHeader(file, { tokens });
    expect(header.vocabularySize).toBe(60_001);
    expect(header.tokenIds).toEqual(new Map([["<fim_prefix>", 60_000]]));
  });

  it.each([
    ["an empty file", "", /a\.gguf is no GGUF model: it has 0 bytes/],
    ["a web page", `<!DOCTYPE html>${" ".repeat(100)}`, /is no GGUF model: it begins with "<!DO"/],
    ["an old version", ggufFile({ ...whole, version: 1 }), /has the old GGUF version 1/],
    ["a later version", ggufFile({ ...whole, version: 9 }), /has the GGUF version 9/],
    ["half a header", ggufFile(whole).subarray(0, 200), /is damaged \(it ends inside its header\)/],
    [
      "a second part",
      ggufFile({
        metadata: { "split.no": { uint32: 1 }, "split.count": { uint32: 3 } },
        tensors: [],
      }),
      /is file 2 of 3; name the first one/,
    ],
  ])("refuses %s in one sentence", async (_, content, message) => {
    await expect(readGgufHeader(fileOf(content), { tokens })).rejects.toMatchObject({
      name: "CompletionError",
      code: "MODEL_FILE_INVALID",
      message: expect.stringMatching(message),
    });
  });

  it("notices a file that was fetched by half", async () => {
    const bytes = ggufFile(whole);
    const file = fileOf(bytes.subarray(0, bytes.length - 1000));
    await expect(readGgufHeader(file, { tokens })).rejects.toMatchObject({
      code: "MODEL_FILE_INVALID",
      message: expect.stringMatching(/is cut off \(.* MB are there\); fetch it again/),
    });
  });

  it("does not believe absurd lengths", async () => {
    const bytes = ggufFile(whole);
    for (const [offset, says] of [
      [8, "tensors"],
      [16, "metadata keys"],
      [24, "bytes in one text"],
    ] as const) {
      const broken = Buffer.from(bytes);
      broken.writeBigUInt64LE(2n ** 60n, offset);
      await expect(readGgufHeader(fileOf(broken), { tokens })).rejects.toMatchObject({
        code: "MODEL_FILE_INVALID",
        message: expect.stringContaining(says),
      });
    }
  });

  it("tells a file that is not there from one that is a folder", async () => {
    const folder = tempFolder();
    await expect(readGgufHeader(join(folder, "no.gguf"), { tokens })).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
    await expect(readGgufHeader(folder, { tokens })).rejects.toMatchObject({
      code: "MODEL_FILE_INVALID",
      message: expect.stringContaining("is a folder"),
    });
  });
});
