/**
 * What an index wants to know of a file: its definitions outside of function bodies, its imports,
 * the names it uses, and where it may be cut. Cost: the parse, and a few percent more.
 */
import type { Tree } from "web-tree-sitter";
import { definitionsOf } from "./outline-definitions.ts";
import { importOf } from "./outline-imports.ts";
import { referencesOf } from "./outline-references.ts";
import type { Grammar } from "./parser-library.ts";
import type { FileOutline } from "./types.ts";

/** The outline of a text by its tree. */
export function outlineOf(
  tree: Tree,
  file: { readonly text: string; readonly grammar: Grammar },
): FileOutline {
  const { text, grammar } = file;
  const found = definitionsOf(tree, file);
  const hasAll = grammar.syntax.outline === "all";
  return {
    definitions: hasAll ? found.definitions : [],
    imports: found.imports.flatMap((node) => importOf(node, grammar.syntax.imports)),
    references: referencesOf(tree, { text, grammar, definedAt: found.nameOffsets }),
    chunkBorders: found.borders,
  };
}
