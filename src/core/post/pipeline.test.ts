import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit, brokenLaw, isSubsequence } from "../cursor-edit.ts";
import { languages } from "../language.ts";
import { allSentinels } from "../prompt/fim-format.ts";
import { lexicalScopeProbe } from "../scope/lexical-scope-probe.ts";
import { PostContext } from "./context.ts";
import type { Candidate } from "./filter.ts";
import { isRejection } from "./filter.ts";
import type { PostInput } from "./pipeline.ts";
import { postFilters, postProcess } from "./pipeline.ts";

const piece = fc.constantFrom(
  ..."()[]{}<>\"'`;:,.=+-*/\\#$@_ \t\n".split(""),
  "  ",
  "\r\n",
  "\r",
  "    ",
  "a",
  "foo",
  "return ",
  "if x:",
  "else",
  "end",
  "größe",
  "寸",
  "🚀",
  "\ud83d",
  "\ude80",
  "\ufffd",
  "\u202e",
  "${",
  '"""',
  "/*",
  "*/",
  "//",
  "<!--",
  "```",
  "<think>",
  "</think>",
  "<|endoftext|>",
  "0, ",
  "x = foo(a, b)\n",
  "  }\n",
);
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
const input: fc.Arbitrary<PostInput> = fc.record({
  raw: text,
  finishReason: fc.constantFrom("stop", "length", "timeout"),
  prefix: text,
  suffix: text,
  languageId: fc.constantFrom(...languages.map((language) => language.id), "unheard-of"),
  multiline: fc.boolean(),
  stops: fc.constantFrom(allSentinels, ["", "end"]),
  scopes: fc.constant(lexicalScopeProbe),
  origin: fc.constantFrom("model", "local"),
});

/** Where a model writes what stands around it again, which random text hardly ever does. */
const echo: fc.Arbitrary<PostInput> = fc
  .tuple(input, fc.nat(12), fc.nat(12))
  .map(([place, before, after]) => ({
    ...place,
    raw: place.prefix.slice(-before) + place.raw + place.suffix.slice(0, after),
  }));

/** Everything but white space. */
function solid(value: string): string {
  return value.replace(/\s/g, "");
}

describe("laws of the filters", () => {
  for (const [name, inputs] of [
    ["random text", input],
    ["text that repeats its surroundings", echo],
  ] as const) {
    test(`nothing that a person typed is lost: ${name}`, () => {
      fc.assert(
        fc.property(inputs, (post) => {
          const result = postProcess(post);
          if (result.kind === "rejected") return;
          expect(brokenLaw(post, result.edit)).toBe(null);
          expect(result.edit.text.trim()).not.toBe("");
          expect(isSubsequence(solid(post.prefix), solid(applyEdit(post, result.edit)))).toBe(true);
        }),
        { numRuns: 2_000 },
      );
    });

    test(`line ends and indentation apart, each filter only deletes: ${name}`, () => {
      fc.assert(
        fc.property(inputs, (post) => {
          const context = new PostContext(post);
          let candidate: Candidate = {
            text: post.raw,
            replaceBefore: 0,
            replaceAfter: 0,
            endIsCut: post.finishReason !== "stop",
          };
          for (const filter of postFilters) {
            const result = filter.apply(candidate, context);
            if (isRejection(result)) return;
            expect(isSubsequence(solid(result.text), solid(candidate.text))).toBe(true);
            expect(result.replaceAfter >= candidate.replaceAfter).toBe(true);
            candidate = result;
          }
        }),
        { numRuns: 1_000 },
      );
    });
  }

  test("a surrogate pair is never split", () => {
    const emoji = fc.array(fc.constantFrom("🚀", "🎈", "a", '"', ")", "\n"), { maxLength: 8 });
    const whole = emoji.map((chars) => chars.join(""));
    fc.assert(
      fc.property(whole, whole, whole, (prefix, raw, suffix) => {
        const result = postProcess({
          raw,
          finishReason: "length",
          prefix,
          suffix,
          languageId: "typescript",
          multiline: true,
          stops: [],
          scopes: lexicalScopeProbe,
          origin: "model",
        });
        if (result.kind === "kept") {
          expect(applyEdit({ prefix, suffix }, result.edit)).not.toMatch(/\p{Cs}/u);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("the same input gives the same result", () => {
    fc.assert(
      fc.property(echo, (post) => {
        expect(postProcess(post)).toEqual(postProcess(post));
      }),
    );
  });

  test("hard text costs no more than its length", () => {
    const hard = [
      "(".repeat(20_000),
      ")".repeat(20_000),
      '"'.repeat(20_001),
      "/\\".repeat(10_000),
      "a ".repeat(10_000),
      "```\n".repeat(5_000),
      "x\n".repeat(10_000),
      "\n".repeat(20_000),
      " \n".repeat(10_000),
      "{\n".repeat(10_000),
      "</think>".repeat(3_000),
      "é".repeat(20_000),
      "\u202e".repeat(20_000),
      "'\\''".repeat(5_000),
      "/*".repeat(10_000),
    ];
    for (const raw of hard) {
      for (const [prefix, suffix] of [
        ["", ""],
        [raw, raw],
        ["x = ", raw],
      ] as const) {
        for (const languageId of ["typescript", "python", "rust"]) {
          const post = { raw, prefix, suffix, languageId, multiline: true, stops: allSentinels };
          postProcess({
            ...post,
            finishReason: "length",
            scopes: lexicalScopeProbe,
            origin: "model",
          });
        }
      }
    }
  });
});
