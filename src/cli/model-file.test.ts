import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelEvidence } from "../core/index.ts";
import { modelFile } from "../testing/gguf-file.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { withNamesOfFile } from "./file-evidence.ts";
import { findModelFile } from "./model-file.ts";

const qwen = "ggml-org/Qwen2.5-Coder-0.5B-Q8_0-GGUF/qwen2.5-coder-0.5b-q8_0.gguf";

describe("findModelFile", () => {
  it("takes a path, a name that was fetched, a repository's file, and a file's own name", async () => {
    const folder = tempFolder({ [qwen]: "", "mine.gguf": "", "owner/repo/x.gguf": "" });
    const find = (name: string) => findModelFile(name, folder);
    expect(await find(join(folder, "mine.gguf"))).toBe(join(folder, "mine.gguf"));
    expect(await find("qwen2.5-coder-0.5b")).toBe(join(folder, qwen));
    expect(await find("owner/repo/x.gguf")).toBe(join(folder, "owner", "repo", "x.gguf"));
    for (const shown of ["mine.gguf", "owner/repo/x.gguf", "x.gguf", qwen]) {
      expect((await find(shown)).startsWith(folder)).toBe(true);
    }
    expect(await find("mine")).toBe(join(folder, "mine.gguf"));
  });

  it.each([
    ["qwen2.5-coder-1.5b", "fetch it with midspan model pull qwen2.5-coder-1.5b"],
    ["qwen2.5-coder-0.5b", "was fetched by half; midspan model pull qwen2.5-coder-0.5b goes on"],
    ["qwen2.5-coder-9b", "there is no model qwen2.5-coder-9b"],
    [tmpdir(), `${tmpdir()} is a folder; name one of the files in it`],
    ["./no.gguf", `there is no file ${resolve("./no.gguf")}`],
    ["seed-coder-8b", "no GGUF file is recorded for Seed-Coder 8B"],
  ])("says how to get %s", async (name, says) => {
    const folder = tempFolder({ [`${qwen}.part`]: "half" });
    await expect(findModelFile(name, folder)).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
      message: expect.stringContaining(says),
    });
  });
});

describe("withNamesOfFile", () => {
  const file = () =>
    join(tempFolder({ "x.gguf": modelFile({ name: "Mellum 4B", tokens: ["a", "b"] }) }), "x.gguf");
  const told = (names: readonly string[], vocabularySize: number | null): ModelEvidence => ({
    names,
    tokenId: () => null,
    vocabularySize,
  });

  it("puts the names in the file of a server on this machine first", async () => {
    const path = file();
    const evidence = await withNamesOfFile(told([path], 2), "http://127.0.0.1:8080");
    expect(evidence.names).toEqual(["Mellum 4B", path]);
  });

  it("reads no file for a server elsewhere, or one that has another file there", async () => {
    const path = file();
    const elsewhere = await withNamesOfFile(told([path], 2), "http://models.example:8080");
    expect(elsewhere.names).toEqual([path]);
    expect((await withNamesOfFile(told([path], 3), "http://127.0.0.1:1")).names).toEqual([path]);
    const missing = told([`${path}.no`, "relative.gguf"], 2);
    expect(await withNamesOfFile(missing, "http://127.0.0.1:1")).toBe(missing);
  });
});
