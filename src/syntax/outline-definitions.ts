/** Definitions outside of function bodies, import statements, and line starts between them. */
import type { Node, Tree } from "web-tree-sitter";
import { definedName, receiverType } from "./defined-name.ts";
import { definitionKinds, Role } from "./node-roles.ts";
import type { Grammar } from "./parser-library.ts";
import type { Definition, DefinitionKind } from "./types.ts";

/** Deeper ones are not looked for: no person names things so far inside of others. */
const MAX_DEPTH = 40;

/** What one walk over the outer levels of a tree finds. */
export interface FoundDefinitions {
  readonly definitions: readonly Definition[];
  /** Import statements, and calls and exports that act as such, in order. */
  readonly imports: readonly Node[];
  readonly nameOffsets: ReadonlySet<number>;
  /** Line starts at which a statement or member begins, with the comments above it; ascending. */
  readonly borders: readonly number[];
}

/** Walks over what is outside of function bodies. */
export function definitionsOf(
  tree: Tree,
  file: { readonly text: string; readonly grammar: Grammar },
): FoundDefinitions {
  const walk = new Walk(file.text, file.grammar);
  walk.children(tree.rootNode, { owner: null, start: -1, isExported: false, depth: 0 });
  return walk.found();
}

/** What is around the node that is looked at. */
interface Surroundings {
  readonly owner: { readonly name: string; readonly kind: DefinitionKind } | null;
  /** Where the statement begins that the node is the only content of; -1 when it is its own. */
  readonly start: number;
  readonly isExported: boolean;
  readonly depth: number;
}

class Walk {
  readonly #text: string;
  readonly #grammar: Grammar;
  readonly #definitions: Definition[] = [];
  readonly #imports: Node[] = [];
  readonly #nameOffsets = new Set<number>();
  readonly #borders = new Set<number>();
  /** Names that an `export { … }` of this file lists. */
  readonly #exportedLater = new Set<string>();

  constructor(text: string, grammar: Grammar) {
    this.#text = text;
    this.#grammar = grammar;
  }

  found(): FoundDefinitions {
    const later = this.#exportedLater;
    return {
      definitions: this.#definitions.map((definition) =>
        definition.parent === null && later.has(definition.name)
          ? { ...definition, isExported: true }
          : definition,
      ),
      imports: this.#imports,
      nameOffsets: this.#nameOffsets,
      borders: [...this.#borders].sort((a, b) => a - b),
    };
  }

  /** Looks at the children of a node, each with the comments right above it. */
  children(node: Node, around: Surroundings): void {
    if (around.depth > MAX_DEPTH) return;
    const isBlock = this.#has(node, Role.block) || node.isError;
    let commentStart = -1;
    let commentEndRow = -1;
    for (const child of node.namedChildren) {
      if (this.#has(child, Role.comment) || child.type.includes("attribute")) {
        if (commentStart < 0 || child.startPosition.row > commentEndRow + 1) {
          commentStart = child.startIndex;
        }
        commentEndRow = child.endPosition.row;
        continue;
      }
      if (isBlock) {
        const isBelowComment = commentStart >= 0 && child.startPosition.row <= commentEndRow + 1;
        this.#addBorder(isBelowComment ? commentStart : child.startIndex);
      }
      commentStart = -1;
      this.#see(child, isBlock ? { ...around, start: -1 } : around);
    }
  }

  #see(node: Node, around: Surroundings): void {
    const { type } = node;
    if (this.#has(node, Role.import) || isImportingCall(node) || isReExport(node)) {
      this.#imports.push(node);
      return;
    }
    if (type === "export_clause") this.#seeExports(node);
    const start = around.start < 0 ? node.startIndex : around.start;
    const isExported = around.isExported || type === "export_statement";
    const kind = definitionKinds[type];
    const name = kind === undefined ? null : definedName(node, kind);
    if (kind !== undefined && name !== null) {
      const own = this.#kindOf(node, kind, around);
      this.#nameOffsets.add(name.offset);
      this.#add(node, { ...around, start, isExported }, { ...name, kind: own });
      if (own === "function" || own === "method") return;
      const owner = { name: name.name, kind: own };
      this.#into(node, { ...around, owner, start: -1, isExported });
      return;
    }
    if (!this.#has(node, Role.container)) return;
    const implemented = type === "impl_item" ? node.childForFieldName("type") : null;
    const owner =
      implemented === null
        ? around.owner
        : { name: firstWord(implemented.text), kind: "class" as const };
    const isExporting = isExported && type !== "ERROR";
    this.children(node, { owner, start, isExported: isExporting, depth: around.depth + 1 });
  }

  /** Looks into those children of a definition that may hold members. */
  #into(node: Node, around: Surroundings): void {
    for (const child of node.namedChildren) {
      if (!this.#has(child, Role.container)) continue;
      this.children(child, { ...around, depth: around.depth + 1 });
    }
  }

  #add(
    node: Node,
    around: Surroundings,
    what: { readonly name: string; readonly owner: string | null; readonly kind: DefinitionKind },
  ): void {
    const { name, kind } = what;
    const end = node.endIndex;
    const parent = receiverType(node) ?? what.owner ?? around.owner?.name ?? null;
    const body = bodyOf(node);
    const signatureEnd = body === null ? end : this.#trimmedEnd(node.startIndex, body.startIndex);
    const header = this.#text.slice(around.start, Math.min(signatureEnd, around.start + 200));
    const isExported = this.#isExported({ name, header, isExported: around.isExported });
    this.#definitions.push({
      name,
      kind,
      start: around.start,
      end,
      signatureEnd,
      parent,
      isExported,
    });
  }

  #isExported(what: {
    readonly name: string;
    readonly header: string;
    readonly isExported: boolean;
  }): boolean {
    switch (this.#grammar.syntax.exports) {
      case "exported":
        return what.isExported;
      case "public":
        return /^\s*pub\b/.test(what.header);
      case "not-private":
        return !/\b(private|fileprivate|static)\b(?!.*\bpublic\b)/.test(
          what.header.slice(0, Math.max(0, what.header.indexOf(what.name))),
        );
      case "capital":
        return /^\p{Lu}/u.test(what.name);
      case "not-underscore":
        return !what.name.startsWith("_");
      case "all":
        return true;
    }
  }

  #kindOf(node: Node, kind: DefinitionKind, around: Surroundings): DefinitionKind {
    const ownerKind = around.owner?.kind;
    const isMember = ownerKind === "class" || ownerKind === "interface" || ownerKind === "enum";
    if (kind === "function") return isMember ? "method" : kind;
    if (kind === "type" && node.type === "type_spec") return goTypeKind(node);
    if (kind === "class") return swiftOrKotlinKind(node);
    if (kind !== "variable" && kind !== "field") return kind;
    const value = node.childForFieldName("value")?.type ?? "";
    const isCallable = /^(arrow_function|function|function_expression|generator_function)$/.test(
      value,
    );
    if (isCallable || declaresFunction(node)) return isMember ? "method" : "function";
    if (isMember) return "field";
    return kind === "variable" && isConstant(node) ? "constant" : kind;
  }

  #seeExports(clause: Node): void {
    for (const specifier of clause.namedChildren) {
      const name = specifier.childForFieldName("name");
      if (name !== null) this.#exportedLater.add(name.text);
    }
  }

  #addBorder(offset: number): void {
    const lineStart = offset === 0 ? 0 : this.#text.lastIndexOf("\n", offset - 1) + 1;
    if (this.#text.slice(lineStart, offset).trim() === "") this.#borders.add(lineStart);
  }

  #trimmedEnd(start: number, end: number): number {
    return start + this.#text.slice(start, end).trimEnd().length;
  }

  #has(node: Node, role: number): boolean {
    return (
      ((this.#grammar.roles.byTypeId[node.typeId] ?? 0) & role) !== 0 || isErrorFor(node, role)
    );
  }
}

function isErrorFor(node: Node, role: number): boolean {
  return role === Role.container && node.isError;
}

/** The body of a definition; `null` for one that is all signature. */
function bodyOf(node: Node): Node | null {
  const body =
    node.childForFieldName("body") ?? node.childForFieldName("value")?.childForFieldName("body");
  if (body !== null && body !== undefined) return body;
  return (
    node.namedChildren.find((child) =>
      /_body$|^(declaration_list|struct_type)$/.test(child.type),
    ) ?? null
  );
}

function isImportingCall(node: Node): boolean {
  if (node.type !== "call" && node.type !== "command") return false;
  const called = node.childForFieldName("method") ?? node.childForFieldName("name");
  return called !== null && /^(require|require_relative|load|source|\.)$/.test(called.text);
}

function isReExport(node: Node): boolean {
  return node.type === "export_statement" && node.childForFieldName("source") !== null;
}

function goTypeKind(node: Node): DefinitionKind {
  const type = node.childForFieldName("type")?.type;
  return type === "struct_type" ? "class" : type === "interface_type" ? "interface" : "type";
}

/** Swift and Kotlin have one kind of node for classes, enums and, in Kotlin, interfaces. */
function swiftOrKotlinKind(node: Node): DefinitionKind {
  if (node.type !== "class_declaration") return "class";
  const word = node.childForFieldName("declaration_kind")?.type;
  const words = word === undefined ? node.children.slice(0, 3).map((child) => child.type) : [word];
  return words.includes("interface") ? "interface" : words.includes("enum") ? "enum" : "class";
}

function declaresFunction(node: Node): boolean {
  let declarator = node.childForFieldName("declarator");
  for (let i = 0; i < 8 && declarator !== null; i++) {
    if (declarator.type === "function_declarator") return true;
    declarator = declarator.childForFieldName("declarator");
  }
  return false;
}

function isConstant(node: Node): boolean {
  const parent = node.type === "variable_declarator" ? node.parent : node;
  return /^(const|val|let)\b/.test(parent?.text.slice(0, 8) ?? "")
    ? !/^let\b/.test(parent?.text.slice(0, 4) ?? "") || parent?.type === "property_declaration"
    : /^[A-Z][A-Z0-9_]*\b/.test(node.text.slice(0, 80));
}

function firstWord(text: string): string {
  return /[\p{L}_][\p{L}\p{N}_]*/u.exec(text)?.[0] ?? text;
}
