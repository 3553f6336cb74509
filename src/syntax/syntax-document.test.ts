import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Node, Tree } from "web-tree-sitter";
import { present } from "../base/assert.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { syntaxWithClock, testSyntax, treeMemoryBytes } from "../testing/syntax-fixture.ts";
import { languageSyntaxes } from "./index.ts";
import type { SyntaxDocument } from "./syntax-document.ts";

const languageIds = Object.keys(languageSyntaxes);

beforeAll(async () => {
  for (const languageId of languageIds) await testSyntax.prepare(languageId);
});

/** Pieces that make and break structure, among them halves of characters and odd line ends. */
const piece = fc.constantFrom(
  ..."()[]{}<>\"'`;:,.#/\\*=",
  ...["if (a) ", "function f() {", "def g(a):\n  ", "class A ", "`${", "/*", "*/", '"""', "<!--"],
  ...["\n", "\r\n", "\r", "\t", " ", "\0", "x", "é", "\u{1f600}", "\ud83d", "\ude00", "\ufeff"],
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const edits = fc.array(
  fc.record({ at: fc.nat(), length: fc.nat(12), text: fc.array(piece, { maxLength: 4 }) }),
  { maxLength: 8 },
);

function open(languageId: string): SyntaxDocument {
  return present(testSyntax.open(languageId), `grammar of ${languageId}`);
}

function parsed(document: SyntaxDocument, buffer: TextBuffer): Tree {
  return present(document.update(buffer, 1_000), "tree");
}

/** All nodes, as words. */
function shape(node: Node): string {
  const { type, startIndex, endIndex, isMissing } = node;
  const inner = node.children.map(shape).join(" ");
  return `(${type}${isMissing ? "!" : ""} ${startIndex}-${endIndex}${inner === "" ? "" : ` ${inner}`})`;
}

/** Every node lies in its parent and after its sibling, and the root ends in the text. */
function hasSoundOffsets(node: Node, end: number): boolean {
  let at = node.startIndex;
  for (const child of node.children) {
    if (child.startIndex < at || child.endIndex > node.endIndex) return false;
    if (!hasSoundOffsets(child, end)) return false;
    at = child.endIndex;
  }
  return 0 <= node.startIndex && node.startIndex <= node.endIndex && node.endIndex <= end;
}

describe.for(languageIds)("%s", (languageId) => {
  test("any text and any edits give a tree with sound offsets, whole text or not", () => {
    fc.assert(
      fc.property(text, edits, (start, changes) => {
        const document = open(languageId);
        let buffer = TextBuffer.from(start);
        let tree = parsed(document, buffer);
        for (const { at, length, text: pieces } of changes) {
          const from = at % (buffer.length + 1);
          buffer = buffer.edit(from, Math.min(buffer.length, from + length), pieces.join(""));
          tree = parsed(document, buffer);
          expect(hasSoundOffsets(tree.rootNode, buffer.length)).toBe(true);
        }
        const fresh = open(languageId);
        const other = parsed(fresh, TextBuffer.from(buffer.toString()));
        // Where nothing is wrong there is one tree. Recovery may choose differently by its history.
        if (!other.rootNode.hasError) expect(shape(tree.rootNode)).toBe(shape(other.rootNode));
        expect(tree.rootNode.endIndex).toBe(other.rootNode.endIndex);
        document.close();
        fresh.close();
      }),
      { numRuns: 20 },
    );
  });
});

describe("a document's tree", () => {
  const lines = Array.from({ length: 300 }, (_, i) => `const v${i} = f(${i}, [${i}], "s${i}");\n`);

  test("equals a fresh one after each of many edits that end in whole lines", () => {
    const document = open("typescript");
    let buffer = TextBuffer.from(lines.join(""));
    parsed(document, buffer);
    for (const letter of "export function g(a: string) { return a; }\n") {
      const at = buffer.lineStart(150 + (letter === "x" ? 1 : 0));
      buffer = buffer.edit(at, at, letter);
      parsed(document, buffer);
      buffer = buffer.edit(at, at + 1, "");
    }
    const fresh = open("typescript");
    expect(shape(parsed(document, buffer).rootNode)).toBe(shape(parsed(fresh, buffer).rootNode));
    document.close();
    fresh.close();
  });

  test("takes no more memory after 10,000 edits than after 1,000", () => {
    const document = open("typescript");
    let buffer = TextBuffer.from(lines.slice(0, 40).join(""));
    const bytes: number[] = [];
    for (let i = 1; i <= 10_000; i++) {
      // A letter comes and goes again, line after line.
      const at = buffer.lineStart((Math.ceil(i / 2) * 37) % 40) + 6;
      buffer = i % 2 === 0 ? buffer.edit(at, at + 1, "") : buffer.edit(at, at, "x");
      parsed(document, buffer);
      if (i % 20 === 0) {
        const change = { start: at, oldEnd: at, newEnd: at + 3 };
        document.fork(buffer.edit(at, at, "(a)"), change, 1_000)?.delete();
      }
      if (i === 1_000 || i === 10_000) bytes.push(treeMemoryBytes());
    }
    expect(bytes[1]).toBe(bytes[0]);
    document.close();
  }, 60_000);

  test("a parse that is given up goes on over the same version, and later edits come on top", async () => {
    let time = 0;
    const hurried = syntaxWithClock(() => time++);
    await hurried.prepare("typescript");
    const document = present(hurried.open("typescript"), "grammar");
    let latest = TextBuffer.from(lines.join(""));
    let tree = document.update(latest, 2);
    expect(tree).toBe(null);
    for (let i = 0; i < 20; i++) {
      latest = latest.edit(0, 0, i % 2 === 0 ? " " : "\n");
      tree = document.update(latest, 2);
    }
    for (let tries = 0; tree === null && tries < 5_000; tries++) tree = document.update(latest, 2);
    const fresh = open("typescript");
    expect(shape(present(tree, "tree").rootNode)).toBe(shape(parsed(fresh, latest).rootNode));
    document.close();
    fresh.close();
  });

  test("a closed document has none, and closing twice is fine", () => {
    const document = open("typescript");
    parsed(document, TextBuffer.from("a"));
    document.close();
    document.close();
    expect(document.update(TextBuffer.from("a"), 1_000)).toBe(null);
  });
});
