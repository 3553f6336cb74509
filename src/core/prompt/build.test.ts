import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextBuffer } from "../../base/text-buffer.ts";
import { errorOf } from "../../testing/error-of.ts";
import type { Snippet } from "../types.ts";
import { promptBudget } from "./budget.ts";
import type { PromptInput } from "./build.ts";
import { buildPrompt } from "./build.ts";
import { promptTokenCounter } from "./counter.ts";
import { allSentinels, formatRows } from "./fim-format.ts";
import type { FimFormat } from "./format-row.ts";
import { resolveFormat } from "./model-family.ts";
import type { PromptPiece } from "./prompt.ts";
import { nextWindow } from "./window.ts";

const formats = formatRows.flatMap((row) => (row.fim === "none" ? [] : [row]));

function inputOf(model: string, more: Partial<PromptInput> = {}): PromptInput {
  const format = resolveFormat({ model, backendKind: "openai", override: null });
  return {
    format,
    order: null,
    prefix: "const a = ",
    suffix: ";\n",
    repository: null,
    path: null,
    languageId: "typescript",
    snippets: [],
    budget: promptBudget({ contextTokens: 8192, outputTokens: 48 }),
    counter: promptTokenCounter(format, "typescript"),
    multiline: false,
    stops: [],
    maxStops: null,
    writesBos: false,
    ...more,
  };
}

function textOf(input: PromptInput): string {
  const { prompt } = buildPrompt(input);
  return prompt.kind === "rendered" ? prompt.text : prompt.prefix;
}

describe("buildPrompt", () => {
  it("never trims what is beside the cursor", () => {
    expect(textOf(inputOf("qwen2.5-coder", { prefix: "\n  \t", suffix: "  \n\n" }))).toBe(
      "<|fim_prefix|>\n  \t<|fim_suffix|>  \n\n<|fim_middle|>",
    );
  });

  it("puts what was typed since the prefix was frozen after the last sentinel", () => {
    expect(textOf(inputOf("qwen2.5-coder", { prefix: "a();\nconst b", typedLength: 7 }))).toBe(
      "<|fim_prefix|>a();\n<|fim_suffix|>;\n<|fim_middle|>const b",
    );
    const { prompt } = buildPrompt(inputOf("qwen2.5-coder", { prefix: "a;\nb", typedLength: 1 }));
    expect(prompt).toMatchObject({ cursorPiece: 5 });
  });

  it("takes another order that the family has, and refuses one that it has not", () => {
    expect(textOf(inputOf("starcoder2", { order: "spm2" }))).toBe(
      "<fim_prefix><fim_suffix>;\n<fim_middle>const a = ",
    );
    expect(errorOf(() => buildPrompt(inputOf("seed-coder", { order: "psm" })))).toMatchObject({
      code: "CONFIG_INVALID",
      message: "seed-coder has no order psm; it has spm1",
    });
  });

  it("writes the begin-of-text token only when asked to", () => {
    expect(textOf(inputOf("codestral-22b", { writesBos: true }))).toBe(
      "<s>[SUFFIX];\n[PREFIX]const a = ",
    );
    expect(textOf(inputOf("qwen2.5-coder", { writesBos: true }))).toMatch(/^<\|fim_prefix\|>/);
  });

  it("tells CodeGeeX4 how many lines may come", () => {
    expect(textOf(inputOf("codegeex4", { multiline: true }))).toContain("###MODE:BLOCK\n");
  });

  it("comments a path as the language of its file does", () => {
    const snippets: Snippet[] = ["a.py", "b.css", "c.html", "d.lua", "e.json"].map((path) => ({
      path,
      text: path,
      kind: "open",
      score: 0,
    }));
    expect(textOf(inputOf("granite-3.3", { snippets }))).toBe(
      "# a.py\na.py\n/* b.css */\nb.css\n<!-- c.html -->\nc.html\n-- d.lua\nd.lua\n// e.json\ne.json\n" +
        "<fim_prefix>const a = <fim_suffix>;\n<fim_middle>",
    );
  });

  it("asks for the caller's stops first and for no more than the server takes", () => {
    const stops = (maxStops: number | null): readonly string[] =>
      buildPrompt(inputOf("granite-3.3", { stops: ["\n", "", "\n"], maxStops })).stops;
    expect(stops(4)).toEqual(["\n", "<|end_of_text|>", "<reponame>", "<fim_pad>"]);
    expect(stops(null)).toHaveLength(7);
    expect(stops(0)).toEqual([]);
  });

  it("leaves path and repository out before it gives up", () => {
    const budget = { ...promptBudget({ contextTokens: 8192, outputTokens: 48 }), totalTokens: 12 };
    const named = { repository: "repository", path: "some/long/path/to/a/file.ts", budget };
    expect(textOf(inputOf("qwen2.5-coder", named))).toBe(
      "<|fim_prefix|>const a = <|fim_suffix|>;\n<|fim_middle|>",
    );
    expect(errorOf(() => buildPrompt(inputOf("codegeex4", named)))).toMatchObject({
      code: "CONTEXT_TOO_SMALL",
    });
    const small = { ...named, budget: { ...budget, totalTokens: 5 } };
    expect(errorOf(() => buildPrompt(inputOf("qwen2.5-coder", small)))).toMatchObject({
      code: "CONTEXT_TOO_SMALL",
      message: "The text around the cursor has 9 tokens, the whole prompt may have 5",
    });
  });

  it("keeps its beginning while the prefix grows", () => {
    const snippets: Snippet[] = Array.from({ length: 30 }, (_, i) => ({
      path: `${i}.ts`,
      text: `export function f${i}(a: number, b: number): number {\n  return a + b + ${i};\n}\n`.repeat(
        3,
      ),
      kind: "open",
      score: 0,
    }));
    const heads = Array.from({ length: 400 }, (_, keys) => {
      const prefix = "value = other;\n".repeat(200).slice(0, 1000 + keys);
      const named = { snippets, prefix, repository: "r", path: "p.ts" };
      return textOf(inputOf("qwen2.5-coder", named)).split("<|fim_prefix|>")[0];
    });
    expect(new Set(heads).size).toBeLessThanOrEqual(2);
  });
});

/** Code, other scripts, half characters, and sentinels whole, cut and side by side. */
const dirtyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...allSentinels),
      fc.constantFrom(
        ...allSentinels.map((text) => text.slice(0, -1)),
        "▁",
        " ",
        "<",
        "|>",
        "\u200b",
      ),
      fc.constantFrom(
        "return value;\n",
        "\r\n",
        "  if (a) {\n",
        "🚀",
        "\ud83d",
        "漢字",
        "{suffix}",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));
const dirtyName = fc.option(dirtyText);
const dirtySnippet = fc.record({
  path: dirtyText,
  text: dirtyText,
  kind: fc.constantFrom("open" as const, "edit" as const, "definition" as const),
  score: fc.integer({ min: 0, max: 3 }),
});

const anyInput = fc
  .record({
    format: fc.constantFrom<FimFormat>(...formats),
    text: dirtyText,
    cursor: fc.double({ min: 0, max: 1, noNaN: true }),
    repository: dirtyName,
    path: dirtyName,
    snippets: fc.array(dirtySnippet, { maxLength: 4 }),
    contextTokens: fc.integer({ min: 100, max: 4000 }),
    writesBos: fc.boolean(),
  })
  .map(({ format, text, cursor, contextTokens, ...rest }): PromptInput => {
    const buffer = TextBuffer.from(text);
    const offset = Math.floor(cursor * text.length);
    const counter = promptTokenCounter(format, "typescript");
    const budget = promptBudget({ contextTokens, outputTokens: 30 });
    const window = nextWindow(null, { buffer, offset, ...budget, counter, keepsSuffix: false });
    return {
      ...inputOf("qwen2.5-coder"),
      format,
      prefix: window.prefix,
      suffix: window.suffix,
      budget,
      counter,
      ...rest,
    };
  });

describe("every prompt", () => {
  it("is within its budget", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { prompt } = build(input);
        const pieces: readonly PromptPiece[] =
          prompt.kind === "rendered"
            ? (prompt.pieces ?? [])
            : [prompt.prefix, prompt.suffix].map((text) => ({ isSentinel: false, text }));
        const recounted = pieces.reduce(
          (sum, piece) => sum + (piece.isSentinel ? 1 : input.counter.count(piece.text)),
          0,
        );
        expect(prompt.tokens).toBeLessThanOrEqual(input.budget.totalTokens);
        expect(recounted).toBeLessThanOrEqual(prompt.tokens);
      }),
      { numRuns: 300 },
    );
  });

  it("holds no sentinel of the family but ours", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { prompt } = build(input);
        if (input.format.fim !== "client" || prompt.kind !== "rendered") return;
        const pieces = prompt.pieces ?? [];
        expect(pieces.map((piece) => piece.text).join("")).toBe(prompt.text);
        const ours = pieces.filter((piece) => piece.isSentinel).map((piece) => piece.text);
        const skeleton = ours.join(" ");
        for (const special of input.format.specials) {
          expect(occurrences(prompt.text, special)).toBe(occurrences(skeleton, special));
        }
        expect(ours.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 300 },
    );
  });

  it("is well-formed, and holds the text beside the cursor", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { prompt } = build(input);
        const whole = prompt.kind === "rendered" ? prompt.text : prompt.prefix + prompt.suffix;
        expect(whole).not.toMatch(/\p{Surrogate}/u);
        const plain = (text: string): string => text.replaceAll("\u200b", "");
        expect(plain(whole)).toContain(plain(input.prefix).replace(/\p{Surrogate}/gu, "\ufffd"));
        expect(plain(whole)).toContain(plain(input.suffix).replace(/\p{Surrogate}/gu, "\ufffd"));
      }),
    );
  });
});

/** With a budget of a few tokens CodeGeeX4 has no room for its header; that is said, not hidden. */
function build(input: PromptInput): ReturnType<typeof buildPrompt> {
  try {
    return buildPrompt(input);
  } catch (error) {
    fc.pre(input.format.family !== "codegeex4");
    throw error;
  }
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
