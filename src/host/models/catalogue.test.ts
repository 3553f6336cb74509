import { describe, expect, it } from "vitest";
import { formatRows } from "../../core/index.ts";
import { errorOf } from "../../testing/error-of.ts";
import {
  catalogue,
  catalogueSources,
  fileSize,
  fimVerdict,
  findInCatalogue,
  memoryNeed,
} from "./catalogue.ts";

const files = catalogue.flatMap((model) => model.files);

describe("the catalogue", () => {
  it("names each model and each file once", () => {
    const names = catalogue.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => /^[a-z0-9.-]+$/.test(name))).toBe(true);
    const places = files.map(({ repository, file }) => `${repository}/${file}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it("says of each fact where it comes from", () => {
    const used = [
      ...files.map(({ source }) => source),
      ...catalogue.flatMap(({ exactMatch }) => exactMatch?.source ?? []),
    ];
    expect(used.filter((source) => !(source in catalogueSources))).toEqual([]);
    expect(Object.keys(catalogueSources).filter((source) => !used.includes(source))).toEqual([]);
  });

  it("has checksums that could be checksums, and a commit where the size is recorded", () => {
    for (const { repository, file, revision, bytes, sha256 } of files) {
      expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
      expect(file).toMatch(/^[\w.-]+\.gguf$/);
      if (sha256 !== null) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      if (bytes !== null) expect(revision).toMatch(/^[0-9a-f]{40}$/);
    }
  });

  it("agrees with the published number of parameters where the size is recorded", () => {
    for (const model of catalogue) {
      for (const file of model.files) {
        if (file.bytes === null) continue;
        const reckoned = fileSize(model, { ...file, bytes: null });
        expect(reckoned.isExact).toBe(false);
        expect(Math.abs(reckoned.bytes / file.bytes - 1)).toBeLessThan(0.02);
      }
    }
  });

  it("offers no file of a model that cannot fill in the middle, and says why not", () => {
    for (const model of catalogue) {
      const verdict = fimVerdict(model.name);
      if (verdict.kind === "yes") continue;
      expect(model.files).toEqual([]);
      expect(model.weights).toBeNull();
      const row = formatRows.find((row) => row.fim === "none" && row.reason === verdict.reason);
      expect(row, model.name).toBeDefined();
    }
    expect(fimVerdict("starcoder2-15b")).toEqual({
      kind: "no",
      reason: expect.stringContaining("broke filling in the middle"),
    });
  });

  it("has a use for every other model", () => {
    const useless = catalogue.filter(
      ({ name, files, weights }) =>
        fimVerdict(name).kind === "yes" && files.length === 0 && weights === null,
    );
    expect(useless).toEqual([]);
  });
});

describe("findInCatalogue", () => {
  it("takes a name in any case", () => {
    expect(findInCatalogue("Qwen2.5-Coder-1.5B").title).toBe("Qwen2.5-Coder 1.5B");
  });

  it.each([
    ["qwen2.5-coder-1.5", /did you mean qwen2\.5-coder-1\.5b\?$/],
    ["qwen2.5-coder-7b-base", /did you mean qwen2\.5-coder-7b\?$/],
    ["qwen2.5-coder-7b-instruct", /tuned for chat .*did you mean qwen2\.5-coder-7b\?$/],
    ["gpt-5", /midspan model list shows all$/],
  ])("says what may have been meant by %s", (name, message) => {
    expect(errorOf(() => findInCatalogue(name))).toMatchObject({
      code: "MODEL_NOT_FOUND",
      message: expect.stringMatching(message),
    });
  });
});

describe("memoryNeed", () => {
  it("adds weights, cache and the server itself", () => {
    const need = { weightBytes: 1e9, cacheBytesPerToken: 10_000, contextTokens: 8_000 };
    expect(memoryNeed(need)).toBe(1e9 + 80e6 + 300e6);
    expect(memoryNeed({ ...need, cacheBytesPerToken: null })).toBeGreaterThan(memoryNeed(need));
  });
});
