import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allSentinels, formatRows } from "./fim-format.ts";
import { createNeutralise } from "./sanitize.ts";

const neutralise = createNeutralise(allSentinels);

describe("neutralise", () => {
  it("breaks a sentinel behind its first character", () => {
    expect(neutralise("a <|fim_prefix|> b <｜fim▁hole｜>")).toBe(
      "a <\u200b|fim_prefix|> b <\u200b｜fim▁hole｜>",
    );
  });

  it("leaves text without sentinels as it is", () => {
    const text = "if (a < b && c[PREFIX_LENGTH] > 0) { return `<fim>`; }";
    expect(neutralise(text)).toBe(text);
  });

  it("finds sentinels that lie in one another", () => {
    const nested = createNeutralise(["<<a>", "<a>"]);
    expect(nested("<<a>")).toBe("<\u200b<\u200ba>");
  });

  it("replaces half surrogate pairs and keeps whole ones", () => {
    expect(neutralise("\ud83d🚀\ude80")).toBe("\ufffd🚀\ufffd");
  });

  it("leaves no sentinel in any text, and nothing to do a second time", () => {
    const pieces = fc.constantFrom(...allSentinels, ...allSentinels.map((s) => s.slice(0, -1)));
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 4 })))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (dirty) => {
        const clean = neutralise(dirty);
        expect(allSentinels.filter((sentinel) => clean.includes(sentinel))).toEqual([]);
        expect(neutralise(clean)).toBe(clean);
      }),
    );
  });

  it("breaks only what the family has", () => {
    const llama = formatRows.find((row) => row.family === "codellama");
    const own = createNeutralise(llama?.fim === "client" ? llama.specials : []);
    expect(own("<PRE> <|fim_prefix|>")).toBe("<\u200bPRE> <|fim_prefix|>");
  });
});
