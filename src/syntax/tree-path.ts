/** The nodes around a place, and what they say about it. Cost: O(depth), never O(document). */
import type { Node, Tree } from "web-tree-sitter";
import type { NodeRoles } from "./node-roles.ts";

/** Deeper places are not looked at: a person does not write them, and a machine does not ask. */
const MAX_DEPTH = 1_000;

/** Nodes around a place, outermost first. */
export type TreePath = readonly Node[];

/**
 * The nodes that hold the unit left of an offset, outermost first; `[]` at the start of the text,
 * `null` where they are nested too deeply.
 */
export function pathAt(tree: Tree, offset: number): TreePath | null {
  if (offset <= 0) return [];
  const unit = offset - 1;
  const path: Node[] = [];
  // Not with a cursor: release 0.25 of the library misreads the index that it is handed.
  let node: Node | null = tree.rootNode;
  while (node !== null && node.startIndex <= unit && unit < node.endIndex) {
    if (path.length >= MAX_DEPTH) return null;
    path.push(node);
    node = node.firstChildForIndex(unit);
  }
  return path;
}

/** True for a node that goes on behind the offset. */
export function goesBeyond(node: Node, offset: number): boolean {
  return node.startIndex < offset && offset < node.endIndex;
}

/** Whether a node has a role. */
export function hasRole(node: Node, role: number, roles: NodeRoles): boolean {
  return ((roles.byTypeId[node.typeId] ?? 0) & role) !== 0;
}
