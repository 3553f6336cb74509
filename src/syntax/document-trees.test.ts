import { beforeAll, describe, expect, test } from "vitest";
import { present } from "../base/assert.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { lexicalScopeProbe } from "../core/index.ts";
import { installedGrammars } from "../host/grammars.ts";
import { syntaxWithClock, testSyntax } from "../testing/syntax-fixture.ts";
import { createSyntax, DocumentTrees, type GrammarSource, languageSyntaxes } from "./index.ts";

beforeAll(async () => {
  await testSyntax.prepare("typescript");
  await testSyntax.prepare("json");
});

function cursorIn(text: string, options: { readonly offset?: number; readonly key?: string } = {}) {
  const buffer = TextBuffer.from(text);
  const { offset = buffer.length, key = "a" } = options;
  return { key, buffer, offset, languageId: "typescript" };
}

describe("every grammar of the table", () => {
  test.for(Object.keys(languageSyntaxes))("%s loads and parses", async (languageId) => {
    expect(await testSyntax.prepare(languageId)).toBe(true);
    expect(testSyntax.outline("a\n", languageId)).not.toBe(null);
  });
});

describe("where there is no tree the lexical rules answer", () => {
  test("a grammar that is no WebAssembly, or is missing, is tried once", async () => {
    let asked = 0;
    const sources: readonly GrammarSource["loadGrammar"][] = [
      async () => new Uint8Array([1, 2, 3]),
      async () => null,
      async () => {
        throw new Error("no such file");
      },
    ];
    for (const loadGrammar of sources) {
      const syntax = createSyntax({
        source: {
          loadRuntime: installedGrammars.loadRuntime,
          loadGrammar: (id) => {
            asked++;
            return loadGrammar(id);
          },
        },
        now: () => 0,
      });
      expect(await syntax.prepare("go")).toBe(false);
      expect(await syntax.prepare("go")).toBe(false);
      expect(new DocumentTrees(syntax).at({ ...cursorIn("a"), languageId: "go" })).toBe(null);
    }
    expect(asked).toBe(sources.length);
  });

  test("while the grammar loads", async () => {
    const trees = new DocumentTrees(syntaxWithClock(() => 0));
    expect(trees.at(cursorIn("f("))).toBe(null);
    expect(await trees.prepare("typescript")).toBe(true);
    expect(trees.at(cursorIn("f("))?.place).not.toBe(null);
    trees.close();
  });

  test("when a parse takes too long; it is there a few key presses later", async () => {
    let time = 0;
    const syntax = syntaxWithClock(() => time);
    await syntax.prepare("typescript");
    const slow = syntaxWithClock(() => time++);
    await slow.prepare("typescript");
    const trees = new DocumentTrees(slow);
    const text = "function f() { return [1, 2]; }\n".repeat(200);
    const scope = (): unknown => {
      const syntaxHere = present(trees.at(cursorIn(`${text}g(`)), "grammar");
      return syntaxHere.scopeProbe(`${text}g(`, lexicalScopeProbe).at(`${text}g(`, "typescript");
    };
    expect(trees.at(cursorIn(`${text}g(`))?.place).toBe(null);
    expect(scope()).toEqual(lexicalScopeProbe.at(`${text}g(`, "typescript"));
    let presses = 0;
    while (trees.at(cursorIn(`${text}g(`))?.place === null && presses < 1_000) presses++;
    expect(presses).toBeLessThan(1_000);
    expect(scope()).toEqual(lexicalScopeProbe.at(`${text}g(`, "typescript"));
    trees.close();
  });

  test("for a document of more than three million units", () => {
    const trees = new DocumentTrees(testSyntax);
    expect(trees.at(cursorIn("a;\n".repeat(1_000_001)))).toBe(null);
    expect(trees.size).toBe(0);
  });
});

describe("large and deep texts", () => {
  test("50,000 open brackets, and as many that are closed", () => {
    const trees = new DocumentTrees(testSyntax);
    for (const text of ["(".repeat(50_000), "[".repeat(50_000) + "]".repeat(50_000)]) {
      for (const offset of [25_000, text.length]) {
        const cursor = cursorIn(text, { offset });
        const prefix = text.slice(Math.max(0, offset - 8_000), offset);
        const syntax = present(trees.at(cursor), "grammar");
        const scope = syntax.scopeProbe(prefix, lexicalScopeProbe).at(prefix, "typescript");
        expect(scope).toEqual(lexicalScopeProbe.at(prefix, "typescript"));
        const edit = { text: "x", replaceBefore: 0, replaceAfter: 0 };
        expect([syntax.breaks(edit), syntax.lastStatementEnd(edit)]).toEqual([false, null]);
      }
    }
    trees.close();
  });

  test("a file of 100,000 lines with mixed line ends has right offsets", () => {
    const trees = new DocumentTrees(testSyntax);
    const line = (i: number): string => `f(${i});${["\n", "\r\n", "\r"][i % 3]}`;
    const text = Array.from({ length: 100_000 }, (_, i) => line(i)).join("");
    const at = text.indexOf("f(70000)") + 2;
    const place = present(trees.at(cursorIn(text, { offset: at }))?.place, "place");
    expect(place.statementEnd).toBe(at + "70000);".length);
    trees.close();
  });
});

describe("trees are kept within limits", () => {
  test("the least recently used go, and come again when they are asked for", () => {
    const trees = new DocumentTrees(testSyntax);
    for (let i = 0; i < 100; i++) {
      expect(trees.at(cursorIn("f();\n", { key: `d${i}` }))?.place).not.toBe(null);
    }
    expect(trees.size).toBe(24);
    expect(trees.at(cursorIn("f();\n", { key: "d0" }))?.place).not.toBe(null);
    expect(trees.size).toBe(24);
    trees.close();
    expect(trees.size).toBe(0);
  });
});
