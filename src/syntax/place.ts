/** What the tree of a document says about a cursor. */
import type { Node, Tree } from "web-tree-sitter";
import type { TextBuffer } from "../base/text-buffer.ts";
import type { Scope } from "../core/index.ts";
import { definedName } from "./defined-name.ts";
import { definitionKinds, type NodeRoles, Role } from "./node-roles.ts";
import { goesBeyond, hasRole, pathAt, type TreePath } from "./tree-path.ts";
import { scopeByTree } from "./tree-scope.ts";
import type { DefinitionKind } from "./types.ts";

/** A definition that the cursor is inside of. */
export interface EnclosingScope {
  readonly name: string;
  readonly kind: DefinitionKind;
  /** `[start, headerEnd)` is its header: all before the body, blanks at the end left out. */
  readonly start: number;
  readonly headerEnd: number;
  readonly end: number;
}

/** Answers about one cursor. Offsets are those of the document. */
export interface SyntaxPlace {
  /** The cursor is in an import statement. */
  readonly isInImport: boolean;
  /** The cursor is in the list of parameters of a definition. */
  readonly isInParameters: boolean;
  /** Definitions around the cursor, outermost first. */
  readonly scopes: readonly EnclosingScope[];
  /** End of the innermost block or body around the cursor; `null` at the top of the file. */
  readonly blockEnd: number | null;
  /** End of the statement or member that the cursor is in; `null` between two. */
  readonly statementEnd: number | null;
  /** Region and brackets; `null` where the lexical rules know as much. */
  scope(windowStart: number): Scope | null;
}

/** The answers for an offset; `null` where the nodes are nested too deeply. */
export function placeAt(
  tree: Tree,
  place: {
    readonly buffer: TextBuffer;
    readonly offset: number;
    readonly languageId: string;
    readonly roles: NodeRoles;
  },
): SyntaxPlace | null {
  const { buffer, offset, roles } = place;
  const path = pathAt(tree, offset);
  if (path === null) return null;
  const inner = path.filter((node) => goesBeyond(node, offset));
  const lastBlock = inner.findLastIndex((node) => hasRole(node, Role.block, roles));
  const block = inner[lastBlock];
  const fromBlock = inner.slice(lastBlock + 1);
  return {
    isInImport: path.some((node) => hasRole(node, Role.import, roles)),
    isInParameters: fromBlock.some((node) => hasRole(node, Role.parameters, roles)),
    scopes: scopesOf(inner, buffer),
    blockEnd: block === undefined || lastBlock === 0 ? null : block.endIndex,
    statementEnd: fromBlock[0]?.endIndex ?? null,
    scope: (windowStart) => scopeByTree(tree, place, windowStart),
  };
}

function scopesOf(path: TreePath, buffer: TextBuffer): readonly EnclosingScope[] {
  const scopes: EnclosingScope[] = [];
  for (const [i, node] of path.entries()) {
    const kind = definitionKinds[node.type];
    if (kind === undefined || node.parent === null) continue;
    const body = bodyAfter(node, path[i + 1]);
    const name = body === null ? null : definedName(node, kind);
    if (body === null || name === null) continue;
    let first = i;
    while (wraps(path[first - 1])) first--;
    const start = (path[first] ?? node).startIndex;
    const headerEnd = start + buffer.slice(start, body.startIndex).trimEnd().length;
    scopes.push({ name: name.name, kind, start, headerEnd, end: node.endIndex });
  }
  return scopes;
}

/** True for a statement that is there for the definition in it. */
function wraps(node: Node | undefined): boolean {
  return node !== undefined && /^(export_|decorated_|template_|lexical_|variable_)/.test(node.type);
}

/** The body that the next node on the path is, or that its value has. */
function bodyAfter(node: Node, next: Node | undefined): Node | null {
  const body = node.childForFieldName("body");
  if (body !== null) return body;
  const value = node.childForFieldName("value")?.childForFieldName("body") ?? null;
  if (value !== null) return value;
  return next !== undefined && /(_body|_list|block|statements)$/.test(next.type) ? next : null;
}
