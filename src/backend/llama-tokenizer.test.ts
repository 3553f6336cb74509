import { describe, expect, it } from "vitest";
import { LlamaTokenizer } from "./llama-tokenizer.ts";
import type { TokenizeBody } from "./tokenize.ts";

const sentinels = new Map([
  ["<|fim_prefix|>", 1],
  ["<|fim_suffix|>", 2],
  ["\u2581<MID>", 3],
  ["<s>", 9],
]);

/** One id a character, except for control tokens; records what it was asked. */
function scripted(options: { readonly bos: number | null }): {
  readonly tokenizer: LlamaTokenizer;
  readonly asked: TokenizeBody[];
} {
  const asked: TokenizeBody[] = [];
  const tokenizer = new LlamaTokenizer(async (body) => {
    asked.push(body);
    const ids = [body.content].flat().flatMap((part) => {
      if (typeof part === "number") return [part];
      const special = body.parse_special ? sentinels.get(part) : undefined;
      return special === undefined
        ? [...part].map((c) => 100 + (c.codePointAt(0) ?? 0))
        : [special];
    });
    return body.add_special && options.bos !== null ? [options.bos, ...ids] : ids;
  }, "http://server");
  return { tokenizer, asked };
}

const { signal } = new AbortController();
const ids = (text: string): number[] => [...text].map((c) => 100 + (c.codePointAt(0) ?? 0));
const prompt = (prefix: string, suffix: string) => [
  { isSentinel: true, text: "<|fim_prefix|>" },
  { isSentinel: false, text: prefix },
  { isSentinel: true, text: "<|fim_suffix|>" },
  { isSentinel: false, text: suffix },
];

describe("a prompt as token ids", () => {
  it("has one id for each sentinel and keeps sentinels in texts as text", async () => {
    const { tokenizer } = scripted({ bos: null });
    expect(await tokenizer.prompt(prompt("a<|fim_prefix|>", "b"), { signal })).toEqual([
      1,
      ...ids("a<|fim_prefix|>"),
      2,
      ...ids("b"),
    ]);
  });

  it("begins with the model's begin-of-text token, once", async () => {
    const { tokenizer } = scripted({ bos: 9 });
    expect((await tokenizer.prompt(prompt("a", "b"), { signal })).slice(0, 2)).toEqual([9, 1]);
    const written = [{ isSentinel: true, text: "<s>" }, ...prompt("a", "b")];
    expect((await tokenizer.prompt(written, { signal })).slice(0, 3)).toEqual([9, 1, 197]);
  });

  it("takes the spelling of SentencePiece for a sentinel", async () => {
    const { tokenizer } = scripted({ bos: null });
    expect(await tokenizer.prompt([{ isSentinel: true, text: "<MID>" }], { signal })).toEqual([3]);
  });

  it("refuses a model that lacks a sentinel", async () => {
    const { tokenizer } = scripted({ bos: null });
    const strange = [{ isSentinel: true, text: "<|hole|>" }];
    await expect(tokenizer.prompt(strange, { signal })).rejects.toMatchObject({
      code: "MODEL_WITHOUT_FIM",
      message: expect.stringContaining("<|hole|>"),
    });
  });

  it("asks for the line that changed and for nothing else", async () => {
    const { tokenizer, asked } = scripted({ bos: null });
    const lines = Array.from({ length: 50 }, (_, i) => `  call(${i});\n`).join("");
    await tokenizer.prompt(prompt(`${lines}const x`, "\n}\n"), { signal });
    asked.length = 0;
    const typed = await tokenizer.prompt(prompt(`${lines}const xy`, "\n}\n"), { signal });
    expect(asked.map(({ content }) => content)).toEqual(["const xy"]);
    expect(typed).toEqual([1, ...ids(`${lines}const xy`), 2, ...ids("\n}\n")]);
    asked.length = 0;
    await tokenizer.prompt(prompt(`${lines}const xy`, "\n}\n"), { signal });
    expect(asked).toEqual([]);
  });

  it("asks for everything again once it was reset", async () => {
    const { tokenizer, asked } = scripted({ bos: null });
    await tokenizer.prompt(prompt("a", "b"), { signal });
    const before = asked.length;
    tokenizer.reset();
    await tokenizer.prompt(prompt("a", "b"), { signal });
    expect(asked.length).toBe(2 * before);
  });

  it("counts plain text", async () => {
    const { tokenizer } = scripted({ bos: 9 });
    expect(await tokenizer.count("one\ntwo <s>", { signal })).toBe(11);
    expect(await tokenizer.count("", { signal })).toBe(0);
  });
});
