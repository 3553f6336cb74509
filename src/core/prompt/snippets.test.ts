import { describe, expect, it } from "vitest";
import type { Snippet } from "../types.ts";
import type { SnippetLimits } from "./snippets.ts";
import { packSnippets } from "./snippets.ts";

/** Four characters a token, and two tokens around each snippet. */
const count = (text: string): number => Math.ceil(text.length / 4);
const limits: SnippetLimits = {
  budgetTokens: 1000,
  definitionTokens: 300,
  counter: { count },
  wholeTokens: (snippet) => 2 + count(snippet.text),
  frameTokens: () => 2,
  path: "a.ts",
  prefix: "const one = 1;\nconst two = 2;\n",
  suffix: "export { one, two };\n",
};

function snippet(path: string, text: string, more: Partial<Snippet> = {}): Snippet {
  return { path, text, kind: "open", score: 0, ...more };
}

function packed(snippets: readonly Snippet[], more: Partial<SnippetLimits> = {}): string[] {
  return packSnippets(snippets, { ...limits, ...more }).map(
    ({ snippet, text }) => `${snippet.path}: ${text}`,
  );
}

describe("packSnippets", () => {
  it("writes definitions by path, then neighbours as the caller keeps them", () => {
    const definition = { kind: "definition" } as const;
    expect(
      packed([
        snippet("z.ts", "z()"),
        snippet("y.ts", "y()", { score: 9 }),
        snippet("c.ts", "c()", definition),
        snippet("b.ts", "b()", { ...definition, score: 5 }),
      ]),
    ).toEqual(["b.ts: b()", "c.ts: c()", "z.ts: z()", "y.ts: y()"]);
  });

  it("does not move what is there when something is appended", () => {
    const first = [snippet("x.ts", "x()"), snippet("y.ts", "y()")];
    expect(packed([...first, snippet("z.ts", "z()")]).slice(0, 2)).toEqual(packed(first));
  });

  it("prefers the higher score, then the newer, when not all fit", () => {
    const text = "x".repeat(40);
    const all = [
      snippet("1.ts", `1${text}`),
      snippet("2.ts", `2${text}`, { score: 1 }),
      snippet("3.ts", `3${text}`),
    ];
    expect(packed(all, { budgetTokens: 28 }).map((line) => line.slice(0, 4))).toEqual([
      "2.ts",
      "3.ts",
    ]);
  });

  it("cuts the first choice at a line end when not even it fits", () => {
    const text = "first line\nsecond line\nthird line\n";
    expect(packed([snippet("b.ts", text)], { budgetTokens: 8 })).toEqual([
      "b.ts: first line\nsecond line\n",
    ]);
    expect(packed([snippet("b.ts", text)], { budgetTokens: 4 })).toEqual([]);
  });

  it("gives definitions no more than their share", () => {
    const text = "x".repeat(40);
    const definitions = ["b", "c", "d"].map((name) =>
      snippet(`${name}.ts`, name + text, { kind: "definition" }),
    );
    expect(packed(definitions, { definitionTokens: 28 })).toHaveLength(2);
  });

  it("drops blank, repeated and visible ones", () => {
    expect(
      packed([
        snippet("b.ts", " \n"),
        snippet("b.ts", "b()\n"),
        snippet("c.ts", "b()"),
        snippet("d.ts", "const two = 2;\n"),
      ]),
    ).toEqual(["b.ts: b()\n"]);
  });

  it("drops a piece of the document itself that the window shows by half", () => {
    const text = "const zero = 0;\nconst one = 1;\nconst two = 2;\n";
    expect(packed([snippet("a.ts", text)])).toEqual([]);
    expect(packed([snippet("b.ts", text)])).toEqual([`b.ts: ${text}`]);
    expect(packed([snippet("a.ts", "function far() {\n  return away;\n}\n")])).toHaveLength(1);
  });
});
