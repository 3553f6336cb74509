/** The names that a file uses: words outside of comments and strings that are no keywords. */
import type { Tree } from "web-tree-sitter";
import { Role } from "./node-roles.ts";
import type { Grammar } from "./parser-library.ts";
import type { Reference } from "./types.ts";

const word = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;

/** References in the order of the text. Asking the tree for each name would cost ten times as much. */
export function referencesOf(
  tree: Tree,
  file: {
    readonly text: string;
    readonly grammar: Grammar;
    /** Where the names of definitions stand. */
    readonly definedAt: ReadonlySet<number>;
  },
): readonly Reference[] {
  const { text, grammar, definedAt } = file;
  const isLiteral = literalMask(tree, text.length, grammar);
  const { keywords } = grammar.roles;
  const references: Reference[] = [];
  for (const match of text.matchAll(word)) {
    const [name] = match;
    const offset = match.index;
    if (isLiteral[offset] === 1 || keywords.has(name) || definedAt.has(offset)) continue;
    // A digit right before it: the unit of a number, such as in `10px`.
    if (offset > 0 && /\d/.test(text.charAt(offset - 1))) continue;
    references.push({ name, offset });
  }
  return references;
}

/** One for each unit that stands in a comment or string and not in a hole of it. */
function literalMask(tree: Tree, length: number, grammar: Grammar): Uint8Array {
  const { literals, byTypeId } = grammar.roles;
  const mask = new Uint8Array(length);
  // In the order of the text, outer ones first: what is inside overwrites.
  for (const node of tree.rootNode.descendantsOfType([...literals])) {
    const isHole = ((byTypeId[node.typeId] ?? 0) & Role.hole) !== 0;
    mask.fill(isHole ? 0 : 1, node.startIndex, node.endIndex);
  }
  return mask;
}
