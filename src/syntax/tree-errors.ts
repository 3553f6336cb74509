/** How broken a text is near a place, by its tree: pieces that fit nowhere, and missing ones. */
import type { Node, Tree } from "web-tree-sitter";

/** As many are counted; a text with more is broken anyway. */
const MAX_ERRORS = 50;
/** Nodes that are looked at: bounds the cost where everything is broken. */
const MAX_NODES = 500;

/** What is wrong in a stretch of a tree. */
export interface TreeErrors {
  /** Error nodes that no other error node holds, and missing ones. At most 50. */
  readonly count: number;
  /** Units that the error nodes cover. */
  readonly length: number;
}

const none: TreeErrors = { count: 0, length: 0 };

/** Counts errors that touch `[start, end]`. Cost: only what holds an error is looked into. */
export function errorsNear(tree: Tree, start: number, end: number): TreeErrors {
  const root = tree.rootNode;
  if (!root.hasError) return none;
  let count = 0;
  let length = 0;
  let looked = 0;
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.isMissing || node.isError) {
      count++;
      length += node.endIndex - node.startIndex;
      if (count >= MAX_ERRORS) break;
      continue;
    }
    if (!node.hasError) continue;
    // A missing node has no width: the child before the stretch may hold one at its end.
    let child = node.firstChildForIndex(Math.max(0, start - 1));
    for (; child !== null && child.startIndex <= end; child = child.nextSibling) {
      if (++looked > MAX_NODES) return { count, length };
      waiting.push(child);
    }
  }
  return { count, length };
}
