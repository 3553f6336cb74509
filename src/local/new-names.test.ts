import { describe, expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import type { SymbolLookup } from "../core/index.ts";
import { BlockTokenCache, lexLines } from "./block-tokens.ts";
import { FileView } from "./file-view.ts";
import { IndexBuilder } from "./index-builder.ts";
import { Lexer } from "./lexer.ts";
import { newNameFactor, withoutNewNames } from "./new-names.ts";
import { RecentFiles } from "./recent-files.ts";
import { Vocabulary } from "./vocabulary.ts";

const nowhere: SymbolLookup = { fileCount: () => 0 };

/** Whether a candidate at `█` has a new name, in a workspace that holds `readAlpha` and `betaCount`. */
function isNewAt(
  text: string,
  candidate: string,
  options: { readonly saved?: string; readonly symbols?: SymbolLookup } = {},
): boolean {
  const builder = new IndexBuilder();
  const code = "const betaCount = readAlpha(x2);\n";
  builder.add({ path: "a.ts", hash: "", sizeBytes: code.length, modifiedMs: 0 }, code);
  const index = builder.build();
  const vocabulary = new Vocabulary(index.vocabulary);
  const lexer = new Lexer(vocabulary);
  const view = new FileView(vocabulary, lexer, new BlockTokenCache(lexer));
  const recent = new RecentFiles();
  const { saved = "", symbols = nowhere } = options;
  if (saved !== "") recent.set("b.ts", lexLines(lexer, saved, 0, saved.length).tokens);
  const place = view.show(TextBuffer.from(text.replace("█", "")), text.indexOf("█"));
  return newNameFactor(candidate, place, { vocabulary, index, view, recent }, symbols) < 1;
}

describe("newNameFactor", () => {
  it("is 1 for what the index and the document have, with a space before it or without", () => {
    expect(isNewAt("let own = 1;\n█", "if (own) readAlpha(betaCount)")).toBe(true);
    expect(isNewAt("let own = 1;\nif█", " (own) const x2 = betaCount + 42")).toBe(false);
  });

  it("joins halves of a word on both sides of the cursor", () => {
    expect(isNewAt("const beta█", "Count")).toBe(false);
    expect(isNewAt("const beta█", "Gamma")).toBe(true);
    expect(isNewAt("const beta█nt", "Cou")).toBe(false);
    expect(isNewAt("const █Total", "beta")).toBe(true);
  });

  it("says nothing about words that the candidate only stands beside", () => {
    expect(isNewAt("const fresh█other", "(betaCount).")).toBe(false);
  });

  it("does not take the half of a word that is being typed for a name", () => {
    expect(isNewAt("const gam█", " = gam")).toBe(true);
  });

  it("knows files saved since, and what the symbols know", () => {
    const saved = "gamma();\n";
    const symbols = { fileCount: (name: string) => (name === "delta" ? 1 : 0) };
    expect(isNewAt("█", "gamma(delta)")).toBe(true);
    expect(isNewAt("█", "gamma(delta)", { saved })).toBe(true);
    expect(isNewAt("█", "gamma(delta)", { symbols })).toBe(true);
    expect(isNewAt("█", "gamma(delta)", { saved, symbols })).toBe(false);
  });

  it("takes any text", () => {
    expect(isNewAt("█", "")).toBe(false);
    expect(isNewAt("😀█", "\ud800 \u2028 ===")).toBe(true);
  });
});

describe("withoutNewNames", () => {
  it("changes nothing where no name is new, and gives others what one loses", () => {
    expect(withoutNewNames([0.6, 0.2], [1, 1])).toEqual([0.6, 0.2]);
    const [ruledOut = 1, other = 0] = withoutNewNames([0.5, 0.2], [0.06, 1]);
    expect(ruledOut).toBeCloseTo(0.03);
    expect(other).toBeCloseTo(0.2 / 0.53);
    expect(Math.max(...withoutNewNames([0.9, 0.9, 0.9], [0.06, 0.06, 1]))).toBeLessThanOrEqual(1);
  });
});
