/** How broken a text is near a place, by its tree: pieces that fit nowhere, and missing ones. */
import type { Node, Tree } from "web-tree-sitter";

/** As many are counted; a text with more is broken anyway. */
const MAX_ERRORS = 50;
/** Nodes that are looked at: bounds the cost where everything is broken. */
const MAX_NODES = 500;
/** Of so many children each is looked at. */
const MAX_CHILDREN = 64;

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
    for (const child of childrenIn(node, start, end)) {
      if (++looked > MAX_NODES) return { count, length };
      waiting.push(child);
    }
  }
  return { count, length };
}

/** As deep as the first error is looked for; a deeper place counts as one. */
const MAX_DEPTH = 500;

/**
 * Where the first error that touches `[start, end]` begins; `null` without one. What lacks a piece is
 * an error from its beginning, since the piece stands at its end, wherever that is.
 */
export function firstErrorIn(tree: Tree, start: number, end: number): number | null {
  let looked = 0;
  const first = (node: Node, depth: number): number | null => {
    if (node.isError) return node.startIndex;
    if (!node.hasError) return null;
    if (depth > MAX_DEPTH) return node.startIndex;
    for (const child of childrenIn(node, start, end)) {
      if (++looked > MAX_NODES) return child.startIndex;
      if (child.isMissing) return node.startIndex;
      const found = first(child, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  return first(tree.rootNode, 0);
}

/**
 * The children that touch `[start, end]`. Of many, those that the library finds by their place, which
 * leaves out missing ones, and the last: a missing bracket is the last of its block.
 */
function* childrenIn(node: Node, start: number, end: number): Generator<Node> {
  const count = node.childCount;
  if (count <= MAX_CHILDREN) {
    for (const child of node.children) {
      if (child.endIndex >= start && child.startIndex <= end) yield child;
    }
    return;
  }
  const last = node.child(count - 1);
  if (last?.isMissing && last.startIndex <= end) yield last;
  let child = node.firstChildForIndex(Math.max(0, start - 1));
  for (; child !== null && child.startIndex <= end; child = child.nextSibling) yield child;
}
