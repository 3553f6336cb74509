/** What import statements bring in, language by language. */
import type { Node } from "web-tree-sitter";
import type { LanguageSyntax } from "./languages.ts";
import type { ImportedName, ImportStatement } from "./types.ts";

/** The imports of one statement, several where it lists several; `[]` when none can be read. */
export function importOf(node: Node, style: LanguageSyntax["imports"]): readonly ImportStatement[] {
  const at = { start: node.startIndex, end: node.endIndex };
  const one = (source: string, names: readonly ImportedName[]): ImportStatement[] =>
    source === "" ? [] : [{ source, names, ...at }];
  switch (style) {
    case null:
      return [];
    case "script":
      return one(unquoted(node.descendantsOfType("string")[0]), scriptNames(node));
    case "python":
      return pythonImports(node, one);
    case "go":
      return node.descendantsOfType("import_spec").flatMap((spec) => goImport(spec));
    case "rust":
      return rustPaths(node.childForFieldName("argument"), "").flatMap(({ path, name, alias }) =>
        one(path, [{ name, alias }]),
      );
    case "path":
      return pathImport(node, one);
    case "php":
      return phpImports(node, one);
    case "include":
      return one(unquoted(node.childForFieldName("path")), [everything]);
    case "call":
      return one(unquoted(callArgument(node)), [everything]);
  }
}

type One = (source: string, names: readonly ImportedName[]) => readonly ImportStatement[];

const everything: ImportedName = { name: "*", alias: "*" };

/** A text without its quotes or angle brackets. */
function unquoted(node: Node | null | undefined): string {
  return node?.text.replace(/^(["'<`])([\s\S]*)(["'>`])$/, "$2") ?? "";
}

function scriptNames(node: Node): readonly ImportedName[] {
  const names: ImportedName[] = [];
  for (const specifier of node.descendantsOfType(["import_specifier", "export_specifier"])) {
    const name = specifier.childForFieldName("name")?.text ?? "";
    names.push({ name, alias: specifier.childForFieldName("alias")?.text ?? name });
  }
  for (const all of node.descendantsOfType(["namespace_import", "namespace_export"])) {
    names.push({ name: "*", alias: all.namedChildren[0]?.text ?? "*" });
  }
  const clause = node.namedChildren.find((child) => child.type === "import_clause");
  const first =
    clause?.namedChildren[0] ??
    node.descendantsOfType("import_require_clause")[0]?.namedChildren[0];
  if (first?.type === "identifier") names.unshift({ name: "default", alias: first.text });
  const isStar =
    node.type === "export_statement" && node.children.some((child) => child.type === "*");
  return isStar ? [...names, everything] : names;
}

function pythonImports(node: Node, one: One): readonly ImportStatement[] {
  const listed = node.childrenForFieldName("name").flatMap((child) => child ?? []);
  const names = listed.map((child) => {
    const name = (child.childForFieldName("name") ?? child).text;
    return { name, alias: child.childForFieldName("alias")?.text ?? name };
  });
  const module = node.childForFieldName("module_name");
  if (module !== null) {
    const isAll = node.namedChildren.some((child) => child.type === "wildcard_import");
    return one(module.text, isAll ? [everything] : names);
  }
  if (node.type === "future_import_statement") return one("__future__", names);
  return names.flatMap(({ name, alias }) => one(name, [{ name: "*", alias }]));
}

function goImport(spec: Node): readonly ImportStatement[] {
  const source = unquoted(spec.childForFieldName("path"));
  const last = source.slice(source.lastIndexOf("/") + 1);
  const alias = spec.childForFieldName("name")?.text ?? last;
  const names = [{ name: "*", alias: alias === "." ? "*" : alias }];
  return source === "" ? [] : [{ source, names, start: spec.startIndex, end: spec.endIndex }];
}

interface RustPath {
  readonly path: string;
  readonly name: string;
  readonly alias: string;
}

/** All paths of a `use` tree. */
function rustPaths(node: Node | null, base: string): readonly RustPath[] {
  if (node === null) return [];
  const join = (part: string): string =>
    base === "" ? part : part === "" ? base : `${base}::${part}`;
  switch (node.type) {
    case "use_list":
      return node.namedChildren.flatMap((child) => rustPaths(child, base));
    case "scoped_use_list":
      return rustPaths(
        node.childForFieldName("list"),
        join(node.childForFieldName("path")?.text ?? ""),
      );
    case "use_as_clause": {
      const [found] = rustPaths(node.childForFieldName("path"), base);
      const alias = node.childForFieldName("alias")?.text;
      return found === undefined || alias === undefined ? [] : [{ ...found, alias }];
    }
    case "use_wildcard":
      return [{ path: join(node.namedChildren[0]?.text ?? ""), name: "*", alias: "*" }];
    case "self":
      return [{ path: base, name: "*", alias: lastPart(base, "::") }];
    default: {
      const name = lastPart(node.text, "::");
      return [{ path: join(node.text), name, alias: name }];
    }
  }
}

/** `import a.b.C`, `using a.b`, with an alias or a star. */
function pathImport(node: Node, one: One): readonly ImportStatement[] {
  const words = node.text
    .replace(/^\s*(global\s+)?(@\w+\s+)*(import|using)\s+/, "")
    .replace(/^(static|class|struct|enum|protocol|func|typealias|let|var)\s+/, "")
    .replace(/;?\s*$/, "");
  const aliased = /^([\w.*]+)\s+as\s+(\w+)$/.exec(words) ?? null;
  const assigned = /^(\w+)\s*=\s*([\w.]+)$/.exec(words) ?? null;
  const path = aliased?.[1] ?? assigned?.[2] ?? words.trim();
  if (!/^[\p{L}\p{N}_.*]+$/u.test(path)) return [];
  const isAll = path.endsWith(".*") || node.type === "using_directive";
  const source = path.replace(/\.\*$/, "");
  const name = lastPart(source, ".");
  const alias = aliased?.[2] ?? assigned?.[1] ?? name;
  return one(source, [isAll && assigned === null ? everything : { name, alias }]);
}

function phpImports(node: Node, one: One): readonly ImportStatement[] {
  const group = node.namedChildren.find((child) => child.type === "namespace_name")?.text;
  return node.descendantsOfType("namespace_use_clause").flatMap((clause) => {
    const own = clause.namedChildren.find((child) => /name$/.test(child.type))?.text ?? "";
    const source = group === undefined ? own : `${group}\\${own}`;
    const name = lastPart(source, "\\");
    return one(source, [{ name, alias: clause.childForFieldName("alias")?.text ?? name }]);
  });
}

function callArgument(node: Node): Node | null {
  const argument = node.childForFieldName("argument") ?? node.childForFieldName("arguments");
  const first = argument?.type === "argument_list" ? argument.namedChildren[0] : argument;
  return first ?? null;
}

function lastPart(path: string, separator: string): string {
  const at = path.lastIndexOf(separator);
  return at < 0 ? path : path.slice(at + separator.length);
}
