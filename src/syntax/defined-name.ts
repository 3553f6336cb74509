/** The name that a definition gives, wherever its grammar puts it. */
import type { Node } from "web-tree-sitter";
import type { DefinitionKind } from "./types.ts";

/** A name, where it stands, and what it says that it belongs to (`Owner::name` in C++). */
export interface DefinedName {
  readonly name: string;
  readonly offset: number;
  readonly owner: string | null;
}

/** The defined name; `null` when there is none, or several as in a pattern. */
export function definedName(node: Node, kind: DefinitionKind): DefinedName | null {
  // A struct without a body is only mentioned.
  const isSpecifier = node.type.endsWith("_specifier");
  if (isSpecifier && node.childForFieldName("body") === null) return null;
  let found =
    node.childForFieldName("name") ??
    node.childForFieldName("declarator") ??
    leftSide(node) ??
    node.namedChildren.find((child) => isName(child) || child.type === "variable_declaration") ??
    null;
  let owner: string | null = null;
  for (let i = 0; i < 12 && found !== null && !isName(found); i++) {
    if (found.type === "qualified_identifier")
      owner = found.childForFieldName("scope")?.text ?? null;
    found = inside(found);
  }
  if (found === null) return null;
  const text = found.text.replace(/^(["'])(.*)\1$/, "$2").replace(/^\$/, "");
  if (text === "" || text.length > 200) return null;
  if (kind === "variable" && node.type === "assignment" && found.type === "identifier") {
    // Ruby's local variables; its constants are another kind of node.
    if (node.parent?.type !== "expression_statement") return null;
  }
  return { name: text, offset: found.startIndex, owner };
}

/** The type that a Go method belongs to; `null` elsewhere. */
export function receiverType(node: Node): string | null {
  const receiver = node.childForFieldName("receiver");
  return receiver === null
    ? null
    : (/([\p{L}_][\p{L}\p{N}_]*)\s*(\[[^\]]*\])?\s*,?\s*\)$/u.exec(receiver.text)?.[1] ?? null);
}

function isName(node: Node): boolean {
  return (
    (/(^|_)(identifier|name|constant|word|property_identifier)$/.test(node.type) &&
      node.type !== "qualified_identifier") ||
    node.type === "string" ||
    !node.isNamed
  );
}

function leftSide(node: Node): Node | null {
  return node.type === "assignment" ? node.childForFieldName("left") : null;
}

/** One step from a declarator towards its name. */
function inside(node: Node): Node | null {
  return (
    node.childForFieldName("declarator") ??
    node.childForFieldName("name") ??
    node.childForFieldName("bound_identifier") ??
    (/^(variable_declaration|pointer_declarator|reference_declarator|parenthesized_declarator|user_type)$/.test(
      node.type,
    )
      ? (node.namedChildren[0] ?? null)
      : null)
  );
}
