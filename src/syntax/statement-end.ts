/** Where the last whole statement in a stretch of a document ends. */
import type { Node, Tree } from "web-tree-sitter";
import { type NodeRoles, Role } from "./node-roles.ts";
import { hasRole, pathAt } from "./tree-path.ts";

/** Siblings that are looked at; a text has fewer lines. */
const MAX_STATEMENTS = 64;

/**
 * End of the last statement that ends in `[start, end)`, before the place where the stretch stops;
 * `null` when none does, or when the tree is broken there.
 */
export function statementEndIn(
  tree: Tree,
  stretch: { readonly start: number; readonly end: number; readonly roles: NodeRoles },
): number | null {
  const { start, end, roles } = stretch;
  let found: number | null = null;
  for (const node of pathAt(tree, end) ?? []) {
    if (!hasRole(node, Role.block, roles)) continue;
    let child: Node | null = node.firstChildForIndex(start);
    for (let i = 0; i < MAX_STATEMENTS && child !== null && child.endIndex < end; i++) {
      const isStatement = child.isNamed && !child.hasError && start < child.endIndex;
      if (isStatement && !hasRole(child, Role.comment, roles)) found = child.endIndex;
      child = child.nextSibling;
    }
  }
  return found;
}
