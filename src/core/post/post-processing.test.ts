import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../cursor-edit.ts";
import { lexicalScopeProbe } from "../scope/lexical-scope-probe.ts";
import type { FinishReason } from "../types.ts";
import { postProcess } from "./pipeline.ts";

interface GivenCase {
  readonly id: string;
  readonly says: string;
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Chunks, in order. */
  readonly output: readonly string[];
  readonly finish?: FinishReason;
  readonly options?: { readonly multilineCompletions: "never" };
  /** Documents that are right after a full accept; `null`: showing nothing is right. */
  readonly want: readonly (string | null)[];
}

const file = new URL("../../../test/cases/post-processing.data.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly GivenCase[] };
const sentinels = ["<|file_sep|>", "<|endoftext|>", "<｜end▁of▁sentence｜>"];

describe("given cases", () => {
  for (const given of cases) {
    test(given.says, () => {
      const result = postProcess({
        raw: given.output.join(""),
        finishReason: given.finish ?? "stop",
        prefix: given.prefix,
        suffix: given.suffix,
        languageId: given.language,
        multiline: given.options?.multilineCompletions !== "never",
        stops: sentinels,
        scopes: lexicalScopeProbe,
        origin: "model",
      });
      expect(given.want).toContain(result.kind === "kept" ? applyEdit(given, result.edit) : null);
    });
  }
});
